//! The seam between executors and resolvers: one object-safe trait, so that executors compile once.

use super::api::{Api, Resolver, Style};
use crate::GeneratedFile;

/// `seam.rs`
pub(crate) fn file(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole("seam.rs", "Every resolver behind one vtable. Executors take `&dyn Schema` and are compiled once, with this crate: editing a resolver\nrebuilds nothing here. A call costs one box per field and level.");
    let resolvers = api.sorted();
    let body: String = resolvers
        .iter()
        .map(|resolver| signature(api, resolver) + ";\n")
        .collect();
    let calls: String = resolvers.iter().map(|resolver| forward(api, resolver)).collect();
    // A predicate per resolver keeps each on a line of its own, for merges and for rustc's messages.
    let bounds: String = resolvers
        .iter()
        .map(|resolver| format!("T: resolve::{},\n", resolver.name))
        .collect();
    let (access, access_calls, access_bound) = access(api);
    let mut used = vec!["resolve"];
    let text = format!("{body}{access}");
    used.extend(
        ["role", "types", "field", "access"]
            .into_iter()
            .filter(|name| text.contains(&format!("{name}::")) || *name == "access" && api.has_access()),
    );
    used.sort_unstable();
    file.item(
        "use std::sync::Arc;\nuse futures_util::future::BoxFuture;"
            .replace("futures_util::future", "traitql::__private"),
    );
    file.item(format!("use super::{{{}}};", used.join(", ")));
    file.item(format!(
        "/// Every resolver of the schema. Implemented for whatever implements the traits of `resolve`; nobody implements it by hand.
        pub trait Schema: Send + Sync {{ {access}{body} }}"
    ));
    file.item(format!(
        "impl<T> Schema for T where T: {access_bound}, {bounds} {{ {access_calls}{calls} }}"
    ));
    file.item(format!(
        "/// A complete set of resolvers.
        #[derive(Clone)]
        pub struct Resolvers(Arc<dyn Schema>);
        impl Resolvers {{
            /// Takes the type that implements the resolvers. Here rustc names every resolver that is still missing.
            pub fn new<T>(app: Arc<T>) -> Self where T: {access_bound} + 'static, {bounds} {{ Self(app) }}
            /// What executors call.
            pub fn schema(&self) -> Arc<dyn Schema> {{ self.0.clone() }}
        }}
        impl From<Resolvers> for Arc<dyn Schema> {{
            fn from(resolvers: Resolvers) -> Self {{ resolvers.0 }}
        }}
        impl std::fmt::Debug for Resolvers {{
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{ f.write_str(\"Resolvers\") }}
        }}"
    ));
    file.finish()
}

/// Methods for the questions of `@auth`, their bodies, and the bound that they need.
fn access(api: &Api<'_>) -> (String, String, &'static str) {
    if !api.has_access() {
        return (String::new(), String::new(), "Send + Sync");
    }
    let account = "/// Id of the signed-in account.
        fn __account<'a>(&'a self, cx: &'a traitql::Ctx) -> BoxFuture<'a, Result<traitql::Id, traitql::FieldError>>";
    let grant = "/// The account's role on a subject.
        fn __grant<'a>(&'a self, cx: &'a traitql::Ctx, account: &'a traitql::Id, subject: access::Subject<'a>)
            -> BoxFuture<'a, Result<Option<access::Grant>, traitql::FieldError>>";
    let mut signatures = format!("{account};\n");
    let mut calls = format!("{account} {{ Box::pin(access::Access::account(self, cx)) }}\n")
        .replace("/// Id of the signed-in account.", "");
    if api.has_roles() {
        signatures += &format!("{grant};\n");
        calls += &format!("{grant} {{ Box::pin(access::Access::grant(self, cx, account, subject)) }}\n")
            .replace("/// The account's role on a subject.", "");
    }
    (signatures, calls, "access::Access")
}

fn head(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    // A column carries the lifetime of its batch, so everything that the future borrows has to live as long.
    let lifetime = if resolver.root.is_some() { "'a" } else { "'b" };
    format!(
        "fn {}<{lifetime}>(&{lifetime} self, {}) -> BoxFuture<{lifetime}, Result<{}, traitql::FieldError>>",
        resolver.method,
        resolver.parameters(api, Style::Generated, &format!("{lifetime} ")),
        resolver.answer(api, Style::Generated),
    )
}

fn signature(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let many = if resolver.has_many_parameters() {
        "#[expect(clippy::too_many_arguments, reason = \"one parameter for each argument of the schema\")]\n"
    } else {
        ""
    };
    format!("/// `{}`\n{many}{}", resolver.coordinate, head(api, resolver))
}

fn forward(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    format!(
        "{} {{ Box::pin(async move {{ resolve::{}::resolve(self, {}).await.map_err(traitql::Throws::into_error) }}) }}\n",
        head(api, resolver),
        resolver.name,
        resolver.forwarded()
    )
}
