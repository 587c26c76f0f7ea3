use super::api::Api;
use crate::GeneratedFile;

pub(crate) fn file(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "mock.rs",
        "A schema for tests: a test sets a closure for each field that it needs. The closure takes the resolver's parameters. Other\nfields fail with the code `UNIMPLEMENTED` and their coordinate.",
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
        "/// Resolves fields with closures. A field without a closure fails.
        #[derive(Default)]
        pub struct Mock {{
            {access_fields}
            /// The closures by field. The lists in `dispatch` insert and call them.
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

fn access(api: &Api<'_>) -> (String, String, String) {
    if !api.has_access() {
        return (String::new(), String::new(), String::new());
    }
    let account = "async fn account(&self, cx: &traitql::Ctx) -> Result<traitql::Id, traitql::FieldError> {
        let principal = cx.principal().ok_or_else(|| traitql::FieldError::internal(\"the caller is not signed in\"))?;
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
        "/// Sets the roles of accounts on subjects. By default every account has the highest role on every subject.
        pub fn grant(
            mut self,
            grant: impl Fn(&traitql::Ctx, &traitql::Id, access::Subject<'_>) -> Option<access::Grant> + Send + Sync + 'static,
        ) -> Self {{
            self.access_grant = Some(Box::new(grant));
            self
        }}
        /// Gives every account the same role on every subject.
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
                    Some(grant) => grant(cx, account, subject),
                    None => Some(access::Grant {{ scope: \"mock\".into(), role: types::{role}::{highest} }}),
                }})
            }}
        }}"
    );
    (fields, setters, implementation)
}
