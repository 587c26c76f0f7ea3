//! Fields that are answered with sample values. To write a resolver, take its line away: the compiler then says what is missing,
//! with the `impl` to paste into `app.rs`. When no line is left, delete this file and `samples: true` in `codegen.yml`.

use crate::App;

traitql::mocked! { App:
{{fields}}}
