//! Who may call: markers of roles, subjects, and the one trait that the application implements to answer both.

use traitql_schema::model::{Access, Subject, Type, TypeRef};

use super::api::{Api, Style};
use crate::GeneratedFile;

/// `role.rs` and `access.rs`; neither for a schema that asks nobody who calls.
pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    if !api.has_access() {
        return Vec::new();
    }
    vec![roles(api), access(api)]
}

fn roles(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "role.rs",
        "A marker for each role: `Viewer<role::Author>` proves that somebody has this role or a higher one.",
    );
    file.item("pub use traitql::SignedIn;");
    let Some((role, markers)) = api.roles().filter(|_| api.has_roles()) else {
        return file.finish();
    };
    for (at, marker) in markers.iter().enumerate() {
        let includes: String = markers[..at]
            .iter()
            .map(|lower| format!("impl traitql::Includes<{lower}> for {marker} {{}}\n"))
            .collect();
        file.item(format!(
            "/// At least `{role}::{marker}`.\n#[derive(Debug)]\npub enum {marker} {{}}
            impl traitql::Level for {marker} {{
                type Role = super::types::{role};
                const LEAST: Self::Role = super::types::{role}::{marker};
            }}
            impl traitql::Includes<SignedIn> for {marker} {{}}
            {includes}",
            role = api.rust(role),
        ));
    }
    file.finish()
}

fn access(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole("access.rs", "How the application answers the questions of `@auth`.");
    let grant = match api.roles().filter(|_| api.has_roles()) {
        None => String::new(),
        Some((role, _)) => {
            let role = api.rust(role);
            file.item(format!(
                "/// A role and where it holds.\npub type Grant = traitql::Grant<super::types::{role}>;"
            ));
            let variants: String = api
                .model
                .subjects
                .iter()
                .enumerate()
                .map(|(at, subject)| {
                    let by = subject.by.as_deref().unwrap_or("id");
                    format!(
                        "/// A `{}` by its `{by}`.\n{}({}),\n",
                        subject.of,
                        api.subject_variant(at),
                        key(api, at, subject)
                    )
                })
                .collect();
            file.item(format!(
                "/// What somebody can have a role on, as the arguments of a field name it.
                #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\npub enum Subject<'a> {{\n{variants}}}"
            ));
            "/// The account's role on the subject. `None` when the subject does not exist, or the account has no role on it: the
            /// caller is told `NOT_FOUND` in both cases and learns nothing. A role that is too low answers `FORBIDDEN`.
            fn grant(&self, cx: &traitql::Ctx, account: &traitql::Id, subject: Subject<'_>)
                -> impl Future<Output = Result<Option<Grant>, traitql::FieldError>> + Send;"
                .to_owned()
        }
    };
    file.item(format!(
        "/// Authorisation, written once for the whole schema.
        #[diagnostic::on_unimplemented(
            message = \"nothing says what callers of `{{Self}}` may do\",
            label = \"this needs `impl Access for {{Self}}`\",
            note = \"the schema guards fields with `@auth`: implement `{crate_name}::Access` once, for all of them\"
        )]
        pub trait Access: Send + Sync {{
            /// Id of the signed-in account, made at first sight. Called only when there is a `cx.principal()`.
            fn account(&self, cx: &traitql::Ctx) -> impl Future<Output = Result<traitql::Id, traitql::FieldError>> + Send;
            {grant}
        }}",
        crate_name = api.crate_name
    ));
    file.finish()
}

/// How a subject is named: by an id, or by the type of the argument at the path.
fn key(api: &Api<'_>, at: usize, subject: &Subject) -> String {
    if subject.by.is_none() {
        return "&'a traitql::Id".to_owned();
    }
    let ty = api.resolvers.iter().find_map(|resolver| match &resolver.field.access {
        Some(Access::Role { subject, path, .. }) if *subject == at => {
            let (first, rest) = path.split_first()?;
            let argument = resolver.field.args.iter().find(|arg| arg.name == *first)?;
            rest.iter()
                .try_fold(argument.ty.clone(), |ty, name| input_field(api, &ty, name))
        }
        _ => None,
    });
    match ty.as_ref().map(TypeRef::name) {
        Some("String") | None => "&'a str".to_owned(),
        Some(name) => format!(
            "&'a {}",
            api.named(name, Style::Generated).replace("types::", "super::types::")
        ),
    }
}

fn input_field(api: &Api<'_>, ty: &TypeRef, name: &str) -> Option<TypeRef> {
    match api.model.types.get(ty.name())? {
        Type::Input(input) => input
            .fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.ty.clone()),
        _ => None,
    }
}
