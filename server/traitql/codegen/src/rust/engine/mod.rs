//! One `match` per object type and one function per resolver; all algorithms are in the runtime.

mod resolvers;
mod types;

use std::collections::BTreeMap;

use traitql_schema::model::{ObjectKind, RootKind, Type};

use super::{
    api::{Api, Resolver},
    bind,
    modules::{by_object, region},
};
use crate::{
    GeneratedFile,
    render::{self, RustFile, Text},
};

#[derive(Default)]
struct Module {
    source: String,
    items: Vec<Text>,
    types: Vec<String>,
    roots: Vec<String>,
    events: Vec<String>,
}

impl Module {
    fn add(&mut self, api: &Api<'_>, resolver: &Resolver<'_>) {
        self.items.push(resolvers::item(api, resolver));
        let (of, field) = (
            render::literal(&resolver.object.name),
            render::literal(&resolver.field.name),
        );
        match resolver.root {
            None => {}
            Some(RootKind::Subscription) => self.events.push(format!("({field}, {}),", resolver.method)),
            Some(_) => self.roots.push(format!("({of}, {field}, {}),", resolver.method)),
        }
    }
}

type Modules = BTreeMap<String, Module>;

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut modules = Modules::new();
    for (name, (source, all)) in api.types_by_module() {
        let module = modules.entry(name).or_default();
        module.source = source;
        for ty in all {
            module.items.extend(types::items(api, ty));
            if let Type::Object(object) = ty
                && !matches!(object.kind, ObjectKind::Root(_))
            {
                module.types.push(types::table_entry(api, object));
            }
        }
    }
    for (name, (source, resolvers)) in api.resolvers_by_module() {
        let module = modules.entry(name).or_default();
        module.source = source;
        for (object, resolvers) in by_object(&resolvers) {
            let (begin, end) = region(object);
            module.items.push(Text::Verbatim(begin));
            for resolver in resolvers {
                module.add(api, resolver);
            }
            module.items.push(Text::Verbatim(end));
        }
    }
    modules.retain(|_, module| !module.items.is_empty());
    let mut files = vec![root(api, &modules)];
    files.extend(
        modules
            .into_iter()
            .map(|(name, module)| module_file(api, &name, module)),
    );
    files
}

fn module_file(api: &Api<'_>, name: &str, module: Module) -> GeneratedFile {
    let source = &module.source;
    let doc = format!("Resolution of the fields of `{source}`.");
    let mut file = RustFile::new(api.path(&format!("engine/{name}.rs")), source, &doc);
    let any_item = |pattern: &str| module.items.iter().any(|item| item.contains(pattern));
    let used = |names: &[(&str, &str)]| -> String {
        let names = names
            .iter()
            .filter(|(_, pattern)| any_item(pattern))
            .map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    };
    let any_type = |pattern: &str| module.types.iter().any(|entry| entry.contains(pattern));
    let runtime = [
        ("Call", any_item("&'c Call<")),
        ("Data", !module.types.is_empty()),
        ("EventColumns", any_item("EventColumns")),
        ("Resolution", any_item("-> Resolution<'c>")),
        ("SchemaPart", true),
        ("Visitor", any_item("V: Visitor")),
        ("no_resolver", any_type("no_resolver")),
        ("rows_of", any_type("rows_of")),
    ];
    let runtime = runtime.iter().filter(|(_, is_used)| *is_used).map(|(name, _)| *name);
    let runtime = runtime.collect::<Vec<_>>().join(", ");
    file.item(format!("use traitql::engine::{{{runtime}}};"));
    let ours = used(&[
        ("access", "access::Subject::"),
        ("args", " args::"),
        ("role", ".viewer::<"),
        ("types", "types::"),
    ]);
    let types = if any_type("types::") && !ours.contains("types") {
        " types"
    } else {
        ""
    };
    file.item(format!(
        "use {}::{{engine::Generated, {ours}{types}}};",
        api.config.module()
    ));
    module.items.into_iter().for_each(|item| file.text(item));
    // One entry per line, so that git can merge entries that two branches add.
    let table = |entries: &[String]| match entries {
        [] => "&[]".to_owned(),
        entries => {
            let lines: String = entries.iter().map(|entry| format!("        {entry}\n")).collect();
            format!("&[\n{lines}    ]")
        }
    };
    file.verbatim(format!(
        "/// The types and resolvers of this file.\npub(super) const PART: SchemaPart<Generated> = SchemaPart {{\n    types: {},\n    roots: {},\n    events: {},\n}};",
        table(&module.types),
        table(&module.roots),
        table(&module.events)
    ));
    file.finish()
}

fn root(api: &Api<'_>, modules: &Modules) -> GeneratedFile {
    let mut file = api.whole("engine/mod.rs", "The engine of the schema: resolution of all fields.");
    // A schema file can have a crate's name, such as `traitql.graphql`.
    file.modules(modules.keys());
    file.item("use ::std::sync::{Arc, LazyLock};");
    file.item("use ::traitql::engine::{Call, ErrorDefinition, EventColumns, GeneratedSchema, PlanEngine, Resolution, Rows, Table};");
    file.item(if api.has_roles() {
        "use super::{MANIFEST, SDL, dispatch, types};"
    } else {
        "use super::{MANIFEST, SDL, dispatch};"
    });
    let check = if bind::has_enums(api) {
        "super::bind::value::check();"
    } else {
        ""
    };
    file.item(format!(
        "/// Creates an engine that calls `resolvers`. It plans the manifest's documents once, here, and executes all other documents
        /// ad hoc. `rates` holds the buckets of `@rate`: pass the same instance to all engines of a server.
        ///
        /// The engine is boxed so that it is compiled once, with this crate.
        pub fn engine(resolvers: &dispatch::Resolvers, rates: Arc<::traitql::RateLimits>) -> impl ::traitql::Engine + use<> {{
            {check}
            let engine: Box<dyn ::traitql::Engine> = Box::new(PlanEngine::<Generated>::new(resolvers.schema(), rates, MANIFEST));
            engine
        }}",
    ));
    file.item("/// Connects the generated schema to the engine.\npub(crate) struct Generated;");
    let root_name =
        |name: Option<&str>| name.map_or("None".to_owned(), |name| format!("Some({})", render::literal(name)));
    let role = match api.roles().filter(|_| api.has_roles()) {
        Some((role, _)) => format!("types::{}", api.rust(role)),
        None => "()".to_owned(),
    };
    let errors: String = api
        .model
        .errors
        .iter()
        .map(|error| {
            let (code, message) = (render::literal(&error.code), render::literal(&error.message));
            format!(
                "ErrorDefinition {{ code: {code}, http: {}, message: {message} }},\n",
                error.http
            )
        })
        .collect();
    // One module per line, so that git can merge schema files that two branches add.
    let parts: String = modules
        .keys()
        .map(|module| format!("    self::{module}::PART,\n"))
        .collect();
    file.verbatim(format!(
        "/// The types and resolvers of all schema files.\nstatic TABLE: LazyLock<Table<Generated>> = LazyLock::new(|| Table::new(&[\n{parts}]));"
    ));
    file.item(format!(
        "impl GeneratedSchema for Generated {{
            type Schema = dyn dispatch::Schema;
            type Role = {role};
            const SDL: &'static str = SDL;
            const QUERY: &'static str = {query};
            const MUTATION: Option<&'static str> = {mutation};
            const SUBSCRIPTION: Option<&'static str> = {subscription};
            const ERRORS: &'static [ErrorDefinition] = &[{errors}];
            fn object(name: &str) -> Option<(&'static str, &'static [&'static str])> {{ TABLE.object(name) }}
            fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Resolution<'c> {{ TABLE.column(rows, call) }}
            fn events<'c>(call: &'c Call<'c, Self>)
                -> ::traitql::__private::BoxFuture<'c, Result<EventColumns, ::traitql::FieldError>>
            {{ TABLE.events(call) }}
        }}",
        query = render::literal(&api.model.query),
        mutation = root_name(api.model.mutation.as_deref()),
        subscription = root_name(api.model.subscription.as_deref()),
    ));
    file.finish()
}
