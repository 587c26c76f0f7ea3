//! Mocks: a schema whose fields are closures. The closures themselves come from the lists in `seam`.

use super::api::Api;
use crate::GeneratedFile;

/// `mock.rs`
pub(crate) fn file(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "mock.rs",
        "A schema for tests: a closure for each field that a test needs. It takes what the resolver takes; every other field fails\nwith the code `UNIMPLEMENTED` and its coordinate.",
    );
    let (access_fields, access_setters, access_impl) = access(api);
    if api.has_access() {
        file.item(if api.has_roles() {
            "use super::{access, types};"
        } else {
            "use super::access;"
        });
    }
    file.item(format!(
        "/// Answers with closures. A field without one fails.
        #[derive(Default)]
        pub struct Mock {{
            {access_fields}
            /// One for each field that is answered; `seam` puts and asks them.
            pub(super) closures: traitql::__private::Closures,
        }}"
    ));
    file.item(
        "impl std::fmt::Debug for Mock {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(\"Mock\").field(&self.closures).finish()
            }
        }",
    );
    if !access_setters.is_empty() {
        file.item(format!("impl Mock {{ {access_setters} }}"));
    }
    file.item(access_impl);
    file.finish()
}

/// Fields, setters and the implementation of `Access`.
fn access(api: &Api<'_>) -> (String, String, String) {
    if !api.has_access() {
        return (String::new(), String::new(), String::new());
    }
    let account = "async fn account(&self, cx: &traitql::Ctx) -> Result<traitql::Id, traitql::FieldError> {
        let principal = cx.principal().ok_or_else(|| traitql::FieldError::internal(\"nobody is signed in\"))?;
        Ok(principal.subject.as_str().into())
    }";
    let Some((role, markers)) = api.roles().filter(|_| api.has_roles()) else {
        let implementation = format!(
            "/// The account's id is the subject of its token.\n#[diagnostic::do_not_recommend]\nimpl access::Access for Mock {{ {account} }}"
        );
        return (String::new(), String::new(), implementation);
    };
    let role = api.rust(role);
    let highest = markers.last().map_or("", String::as_str);
    let fields = "access_grant: Option<Box<Grant>>,\n".to_owned();
    let setters = format!(
        "/// Says which role an account has on a subject. Until then everybody has the highest one on everything.
        pub fn grant(
            mut self,
            answer: impl Fn(&traitql::Ctx, &traitql::Id, access::Subject<'_>) -> Option<access::Grant> + Send + Sync + 'static,
        ) -> Self {{
            self.access_grant = Some(Box::new(answer));
            self
        }}
        /// Gives everybody the same role on everything.
        pub fn role(self, role: types::{role}) -> Self {{
            self.grant(move |_, _, _| Some(access::Grant {{ scope: \"mock\".into(), role }}))
        }}\n"
    );
    let implementation = format!(
        "type Grant = dyn Fn(&traitql::Ctx, &traitql::Id, access::Subject<'_>) -> Option<access::Grant> + Send + Sync;
        /// The account's id is the subject of its token.
        #[diagnostic::do_not_recommend]
        impl access::Access for Mock {{
            {account}
            async fn grant(&self, cx: &traitql::Ctx, account: &traitql::Id, subject: access::Subject<'_>)
                -> Result<Option<access::Grant>, traitql::FieldError> {{
                Ok(match &self.access_grant {{
                    Some(answer) => answer(cx, account, subject),
                    None => Some(access::Grant {{ scope: \"mock\".into(), role: types::{role}::{highest} }}),
                }})
            }}
        }}"
    );
    (fields, setters, implementation)
}
