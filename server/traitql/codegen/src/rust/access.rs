use traitql_schema::model::{Access, Subject, Type, TypeRef};

use super::api::{Api, Style};
use crate::GeneratedFile;

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    if !api.has_access() {
        return Vec::new();
    }
    vec![roles(api), access(api)]
}

fn roles(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "role.rs",
        "A marker for each role: `Viewer<role::Author>` proves that the caller has this role or a higher one.",
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
                const MIN_ROLE: Self::Role = super::types::{role}::{marker};
            }}
            impl traitql::Includes<SignedIn> for {marker} {{}}
            {includes}",
            role = api.rust(role),
        ));
    }
    file.finish()
}

fn access(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "access.rs",
        "The access checks of `@auth`, which the application implements.",
    );
    let grant = match api.roles().filter(|_| api.has_roles()) {
        None => String::new(),
        Some((role, _)) => {
            let role = api.rust(role);
            file.item(format!(
                "/// A role and the scope in which it applies.\npub type Grant = traitql::Grant<super::types::{role}>;"
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
                "/// An object on which accounts have roles, as identified by the arguments of a field.
                #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\npub enum Subject<'a> {{\n{variants}}}"
            ));
            "/// Returns the account's role on the subject. Return `None` if the subject does not exist or if the account has no role
            /// on it: the caller receives `NOT_FOUND` in both cases, so that the response does not reveal which one it
            /// was. If the role is too low, the caller receives `FORBIDDEN`.
            fn grant(&self, cx: &traitql::Ctx, account: &traitql::Id, subject: Subject<'_>)
                -> impl Future<Output = Result<Option<Grant>, traitql::FieldError>> + Send;"
                .to_owned()
        }
    };
    file.item(format!(
        "/// The access checks of the whole schema.
        #[diagnostic::on_unimplemented(
            message = \"`{{Self}}` does not implement the access checks of the schema\",
            label = \"this needs `impl Access for {{Self}}`\",
            note = \"the schema guards fields with `@auth`: implement `{crate_name}::Access` once for all of them\"
        )]
        pub trait Access: Send + Sync {{
            /// Returns the id of the signed-in account, and creates the account on its first request. Called only if
            /// `cx.principal()` is `Some`.
            fn account(&self, cx: &traitql::Ctx) -> impl Future<Output = Result<traitql::Id, traitql::FieldError>> + Send;
            {grant}
        }}",
        crate_name = api.crate_name
    ));
    file.finish()
}

/// Returns an id, or the type of the argument at the path.
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
