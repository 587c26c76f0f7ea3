//! An object-safe trait per object type, combined in `Schema`, which executors call. Files have the order of schema
//! files, so that git can merge both in the same way.

use std::collections::BTreeMap;

use super::{
    api::{Api, Guard, Resolver, Style},
    modules::by_object,
};
use crate::{
    GeneratedFile,
    render::{self, RustFile},
};

/// Schema file and resolvers by module.
type Modules<'r, 'a> = BTreeMap<String, (String, Vec<&'r Resolver<'a>>)>;

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
    let doc = format!("Dispatch and mock methods for the fields of `{source}`.");
    let mut file = RustFile::new(api.path(&format!("dispatch/{module}.rs")), source, &doc);
    let objects = by_object(resolvers);
    let lists: Vec<String> = objects
        .iter()
        .map(|(object, fields)| list(api, object, fields))
        .collect();
    let mut used = vec!["field", "mock::Mock", "resolve"];
    let uses = |name: &&str| lists.iter().any(|list| list.contains(&format!("{name}::")));
    used.extend(["role", "types"].iter().copied().filter(uses));
    file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
    lists.into_iter().for_each(|list| file.verbatim(list));
    let traits: Vec<String> = objects
        .iter()
        .map(|(object, _)| format!("{}Fields", api.rust(object)))
        .collect();
    file.item(format!(
        "/// All resolvers of this file.
        pub trait Fields: Send + Sync where {} {{}}
        impl<T> Fields for T where T: Send + Sync, {} {{}}",
        bounds("Self", &traits),
        bounds("T", &traits)
    ));
    file.finish()
}

/// Each bound has its own line in a `where` clause, so that git can merge additions.
fn bounds(ty: &str, traits: &[String]) -> String {
    traits.iter().map(|name| format!("{ty}: {name},")).collect()
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
    let tail = format!(" -> {};", resolver.output_type(api, Style::Generated));
    render::call("    ", &head, &args, &tail) + "\n"
}

fn root(api: &Api<'_>, modules: &Modules<'_, '_>) -> GeneratedFile {
    let mut file = api.list(
        "dispatch",
        "Dispatch to all resolvers through one vtable. Executors take `&dyn Schema` and are compiled once, with this crate, so a\nchange of a resolver does not rebuild them.",
        modules.keys(),
    );
    file.item("use ::std::sync::Arc;");
    let (signatures, calls, access_bound) = access(api);
    let all: Vec<String> = modules.keys().map(|module| format!("self::{module}::Fields")).collect();
    file.item(format!(
        "/// All resolvers of the schema. Implemented automatically for each type that implements all traits of `resolve`.
        pub trait Schema: Send + Sync where {} {{ {signatures} }}
        impl<T> Schema for T where T: {access_bound}, {} {{ {calls} }}",
        bounds("Self", &all),
        bounds("T", &all)
    ));
    // With the single bound `T: Schema`, rustc would report only that bound instead of the missing resolvers.
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
    file.verbatim(format!(
        "impl Resolvers {{
    /// Wraps the type that implements the resolvers. rustc reports each missing resolver at the call of this function.
    pub fn new<T>(app: Arc<T>) -> Self
    where
{required}    {{
        Self(app)
    }}
    /// Returns the trait object that executors call.
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

/// Signatures, bodies, and the bound that they need.
fn access(api: &Api<'_>) -> (String, String, &'static str) {
    if !api.has_access() {
        return (String::new(), String::new(), "Send + Sync");
    }
    let account = "fn __account<'a>(&'a self, cx: &'a ::traitql::Ctx)
        -> ::traitql::__private::BoxFuture<'a, Result<::traitql::Id, ::traitql::FieldError>>";
    let grant = "fn __grant<'a>(
        &'a self,
        cx: &'a ::traitql::Ctx,
        account: &'a ::traitql::Id,
        subject: super::access::Subject<'a>,
    ) -> ::traitql::__private::BoxFuture<'a, Result<Option<super::access::Grant>, ::traitql::FieldError>>";
    let mut signatures = format!("/// Returns the id of the signed-in account.\n{account};\n");
    let mut calls = format!("{account} {{ Box::pin(super::access::Access::account(self, cx)) }}\n");
    if api.has_roles() {
        signatures += &format!("/// Returns the account's role on a subject.\n{grant};\n");
        calls += &format!("{grant} {{ Box::pin(super::access::Access::grant(self, cx, account, subject)) }}\n");
    }
    (signatures, calls, "super::access::Access")
}
