//! Mocks: a schema whose fields are closures.

use super::api::{Api, Guard, Resolver, Style};
use crate::{GeneratedFile, names::pascal};

/// `mock.rs`
pub(crate) fn file(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "mock.rs",
        "A schema for tests: a closure for each field that a test needs. It takes what the resolver takes; every other field fails\nwith the code `UNIMPLEMENTED` and its coordinate.",
    );
    let resolvers = api.sorted();
    let mut used = vec!["field", "resolve"];
    let text: String = resolvers.iter().map(|r| alias(api, r)).collect();
    used.extend(["access", "role", "types"].into_iter().filter(|name| {
        text.contains(&format!("{name}::"))
            || *name == "access" && api.has_access()
            || *name == "types" && api.has_roles()
    }));
    used.sort_unstable();
    file.item(format!("use super::{{{}}};", used.join(", ")));
    let fields: String = resolvers
        .iter()
        .map(|r| format!("{}: Option<Box<closure::{}>>,\n", r.method, r.name))
        .collect();
    let setters: String = resolvers.iter().map(|r| setter(api, r)).collect();
    let (access_fields, access_setters, access_impl) = access(api);
    file.item(format!(
        "/// Answers with closures. A field without one fails.
        #[derive(Default)]
        pub struct Mock {{ {access_fields}{fields} }}"
    ));
    file.item(
        "impl std::fmt::Debug for Mock {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"Mock\") }
        }",
    );
    file.item(format!("impl Mock {{ {access_setters}{setters} }}"));
    file.item(access_impl);
    for resolver in &resolvers {
        file.item(implementation(api, resolver));
    }
    let closure_uses: Vec<&str> = used
        .iter()
        .copied()
        .filter(|name| *name != "resolve" && text.contains(&format!("{name}::")))
        .collect();
    file.item(format!(
        "/// Types of the closures.\nmod closure {{ use super::{{{}}};\n{text} }}",
        closure_uses.join(", ")
    ));
    file.finish()
}

/// Types of the parameters after `&self`, with `&` for every reference.
fn parameter_types(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let mut out = vec!["&traitql::Ctx".to_owned()];
    match &resolver.guard {
        Guard::None => {}
        Guard::SignedIn => out.push("&traitql::Viewer<role::SignedIn>".to_owned()),
        Guard::Role(marker) => out.push(format!("&traitql::Viewer<role::{marker}>")),
    }
    out.extend(
        resolver
            .parent(api, Style::Generated)
            .map(|parent| format!("traitql::Batch<'b, {parent}>")),
    );
    out.extend(resolver.args.iter().map(|arg| api.input(arg.value, Style::Generated)));
    out.join(", ")
}

/// `for<'b> Fn(&Ctx, Batch<'b, Tour>) -> Result<One<'b, Revision>, Throws<field::TourDraft>>`
fn closure(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let binder = if resolver.root.is_none() { "for<'b> " } else { "" };
    format!(
        "{binder}Fn({}) -> Result<{}, traitql::Throws<field::{}>> + Send + Sync",
        parameter_types(api, resolver),
        resolver.answer(api, Style::Generated),
        resolver.name
    )
}

fn alias(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    format!("pub(super) type {} = dyn {};\n", resolver.name, closure(api, resolver))
}

fn setter(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    format!(
        "/// Answers `{}`.
        pub fn {method}(mut self, answer: impl {} + 'static) -> Self {{
            self.{method} = Some(Box::new(answer));
            self
        }}\n",
        resolver.coordinate,
        closure(api, resolver),
        method = resolver.method,
    )
}

fn implementation(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let name = &resolver.name;
    format!(
        "#[diagnostic::do_not_recommend]
        impl resolve::{name} for Mock {{
            async fn resolve{generics}(&self, {parameters}) -> Result<{answer}, traitql::Throws<field::{name}>> {{
                match &self.{method} {{
                    Some(answer) => answer({forwarded}),
                    None => Err(traitql::__private::unanswered(\"{coordinate}\")),
                }}
            }}
        }}",
        generics = resolver.generics(),
        parameters = resolver.parameters(api, Style::Generated, ""),
        answer = resolver.answer(api, Style::Generated),
        method = resolver.method,
        forwarded = resolver.forwarded(),
        coordinate = resolver.coordinate,
    )
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
    let role = pascal(role);
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
