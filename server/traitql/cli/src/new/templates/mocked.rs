//! Fields that return sample values. To write a resolver, remove its line: rustc then reports the missing resolver and shows the
//! `impl` to paste into `app.rs`. If a field is still listed although it has a resolver, rustc reports conflicting implementations. When the list is empty, delete this file and `samples: true` in `codegen.yml`.

use crate::App;

traitql::mocked! { App:
{{fields}}}
