//! The seam between executors and resolvers: an object-safe trait per object type, all of them joined in `Schema`, so that
//! executors compile once. The same lists make the mock.
//!
//! Each file of the schema has a file here, in its own order: what can be merged in the schema can be merged here.

use std::collections::BTreeMap;

use super::{
    api::{Api, Guard, Resolver, Style},
    modules::by_object,
};
use crate::{
    GeneratedFile,
    render::{self, RustFile},
};

/// Resolvers by their module, and the schema file that they come from.
type Modules<'r, 'a> = BTreeMap<String, (String, Vec<&'r Resolver<'a>>)>;

/// `seam/`: a file per schema file, and `seam/mod.rs` with `Schema` and `Resolvers`.
pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let modules = api.resolvers_by_module();
    let mut files: Vec<GeneratedFile> = modules
        .iter()
        .map(|(module, (source, resolvers))| module_file(api, module, source, resolvers))
        .collect();
    files.push(root(api, &modules));
    files
}

fn module_file(api: &Api<'_>, module: &str, source: &str, resolvers: &[&Resolver<'_>]) -> GeneratedFile {
    let doc = format!("The fields of `{source}`, as executors ask for them and as mocks answer.");
    let mut file = RustFile::new(api.path(&format!("seam/{module}.rs")), source, &doc);
    let objects = by_object(resolvers);
    let lists: Vec<String> = objects
        .iter()
        .map(|(object, fields)| list(api, object, fields))
        .collect();
    let mut used = vec!["field", "mock::Mock", "resolve"];
    let uses = |name: &&str| lists.iter().any(|list| list.contains(&format!("{name}::")));
    used.extend(["role", "types"].iter().copied().filter(uses));
    file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
    lists.into_iter().for_each(|list| file.laid(list));
    let traits: Vec<String> = objects
        .iter()
        .map(|(object, _)| format!("{}Fields", api.rust(object)))
        .collect();
    let bounds = bounds(&traits);
    file.laid(format!("/// All of them.\npub trait Fields: Send + Sync{bounds}\n{{}}"));
    file.laid(format!(
        "impl<T> Fields for T\nwhere\n    T: Send + Sync{}\n{{}}",
        bounds.replace('\n', "\n    ")
    ));
    file.finish()
}

/// One bound a line, for merges.
fn bounds(names: &[String]) -> String {
    names.iter().map(|name| format!("\n    + {name}")).collect()
}

fn list(api: &Api<'_>, object: &str, fields: &[&Resolver<'_>]) -> String {
    let entries: String = fields.iter().map(|field| entry(api, field)).collect();
    let parents = fields.first().and_then(|field| field.parent(api, Style::Generated));
    let parents = parents.map_or_else(String::new, |parent| format!("<'b>(traitql::Batch<'b, {parent}>)"));
    format!(
        "traitql::fields! {{\n    /// The resolvers of `{object}`.\n    pub trait {}Fields{parents};\n{entries}}}",
        api.rust(object)
    )
}

fn entry(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let proof = match &resolver.guard {
        Guard::None => String::new(),
        Guard::SignedIn => "[viewer: role::SignedIn]".to_owned(),
        Guard::Role(marker) => format!("[viewer: role::{marker}]"),
    };
    let head = format!(
        "\"{}\" => {}: {}{proof}",
        resolver.coordinate, resolver.name, resolver.method
    );
    let args: Vec<String> = resolver
        .args
        .iter()
        .map(|arg| format!("{}: {}", arg.name, api.input(arg.value, Style::Generated)))
        .collect();
    let tail = format!(" -> {};", resolver.answer(api, Style::Generated));
    render::call("    ", &head, &args, &tail) + "\n"
}

/// `seam/mod.rs`
fn root(api: &Api<'_>, modules: &Modules<'_, '_>) -> GeneratedFile {
    let mut file = api.list(
        "seam",
        "Every resolver behind one vtable. Executors take `&dyn Schema` and are compiled once, with this crate: editing a resolver\nrebuilds nothing here.",
        modules.keys(),
    );
    file.item("use ::std::sync::Arc;");
    let (signatures, calls, access_bound) = access(api);
    let all: Vec<String> = modules.keys().map(|module| format!("self::{module}::Fields")).collect();
    let bounds = bounds(&all);
    let block = |text: &str| match text {
        "" => "{}".to_owned(),
        text => format!("{{\n{text}}}"),
    };
    file.laid(format!(
        "/// Every resolver of the schema. Implemented for whatever implements the traits of `resolve`; nobody implements it by hand.\npub trait Schema: Send + Sync{bounds}\n{}",
        block(&signatures)
    ));
    file.laid(format!(
        "impl<T> Schema for T\nwhere\n    T: {access_bound}{}\n{}",
        bounds.replace('\n', "\n    "),
        block(&calls)
    ));
    // A predicate per resolver keeps each on a line of its own, for merges and for rustc's messages: with `T: Schema` alone
    // they would speak of that bound and not of the resolver that is missing.
    let mut required = format!("        T: {access_bound} + 'static,\n");
    for (source, resolvers) in modules.values() {
        required += &format!("        // {source}\n");
        required.extend(
            resolvers
                .iter()
                .map(|resolver| format!("        T: super::resolve::{},\n", resolver.name)),
        );
    }
    file.item("/// A complete set of resolvers.\n#[derive(Clone)]\npub struct Resolvers(Arc<dyn Schema>);");
    file.laid(format!(
        "impl Resolvers {{
    /// Takes the type that implements the resolvers. Here rustc names every resolver that is still missing.
    pub fn new<T>(app: Arc<T>) -> Self
    where
{required}    {{
        Self(app)
    }}
    /// What executors call.
    pub fn schema(&self) -> Arc<dyn Schema> {{
        self.0.clone()
    }}
}}"
    ));
    file.item(
        "impl From<Resolvers> for Arc<dyn Schema> {
            fn from(resolvers: Resolvers) -> Self { resolvers.0 }
        }
        impl ::std::fmt::Debug for Resolvers {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result { f.write_str(\"Resolvers\") }
        }",
    );
    file.finish()
}

/// Methods for the questions of `@auth`, their bodies, and the bound that they need.
fn access(api: &Api<'_>) -> (String, String, &'static str) {
    if !api.has_access() {
        return (String::new(), String::new(), "Send + Sync");
    }
    let account = "    fn __account<'a>(&'a self, cx: &'a ::traitql::Ctx)
        -> ::traitql::__private::BoxFuture<'a, Result<::traitql::Id, ::traitql::FieldError>>";
    let grant = "    fn __grant<'a>(
        &'a self,
        cx: &'a ::traitql::Ctx,
        account: &'a ::traitql::Id,
        subject: super::access::Subject<'a>,
    ) -> ::traitql::__private::BoxFuture<'a, Result<Option<super::access::Grant>, ::traitql::FieldError>>";
    let mut signatures = format!("    /// Id of the signed-in account.\n{account};\n");
    let mut calls = format!("{account}\n    {{\n        Box::pin(super::access::Access::account(self, cx))\n    }}\n");
    if api.has_roles() {
        signatures += &format!("    /// The account's role on a subject.\n{grant};\n");
        calls += &format!(
            "{grant} {{\n        Box::pin(super::access::Access::grant(self, cx, account, subject))\n    }}\n"
        );
    }
    (signatures, calls, "super::access::Access")
}
