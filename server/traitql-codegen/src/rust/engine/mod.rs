//! The wiring between the engine of the runtime and the generated types: which value or which resolver stands behind a field
//! of an object type. All algorithms are in the runtime; what is written here is one `match` per object type and one function
//! per resolver, so that an executor needs to be compiled only once, with the generated crate.

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

/// What belongs to a schema file.
#[derive(Default)]
struct Module {
    source: String,
    items: Vec<Text>,
    /// Entries of the tables of the runtime's `Part`.
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

/// `engine/`: a module per schema file, and `engine/mod.rs` that ties them together.
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
            module.items.push(Text::Laid(begin));
            for resolver in resolvers {
                module.add(api, resolver);
            }
            module.items.push(Text::Laid(end));
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
    let doc = format!("How the engine answers the fields of `{source}`.");
    let mut file = RustFile::new(api.path(&format!("engine/{name}.rs")), source, &doc);
    let used = |names: &[(&str, &str)]| -> String {
        let is_used = |sign: &str| module.items.iter().any(|item| item.contains(sign));
        let names = names.iter().filter(|(_, sign)| is_used(sign)).map(|(name, _)| *name);
        names.collect::<Vec<_>>().join(", ")
    };
    let resolved = module.types.iter().any(|entry| entry.contains("rows_of"));
    let mut runtime = used(&[("Answer", "-> Answer<'c>"), ("Call", "&'c Call<")]);
    for (name, there) in [
        ("Data", !module.types.is_empty()),
        (
            "EventColumns",
            module.items.iter().any(|item| item.contains("EventColumns")),
        ),
        ("Part", true),
        ("Visitor", module.items.iter().any(|item| item.contains("V: Visitor"))),
        ("rows_of", resolved),
        (
            "unresolved",
            module.types.iter().any(|entry| entry.contains("unresolved")),
        ),
    ] {
        if there {
            runtime += if runtime.is_empty() { "" } else { ", " };
            runtime += name;
        }
    }
    file.item(format!("use traitql::engine::{{{runtime}}};"));
    let ours = used(&[
        ("access", "access::Subject::"),
        ("args", " args::"),
        ("role", ".viewer::<"),
        ("types", "types::"),
    ]);
    let types = match module.types.iter().any(|entry| entry.contains("types::")) && !ours.contains("types") {
        true => " types",
        false => "",
    };
    file.item(format!(
        "use {}::{{engine::Wired, {ours}{types}}};",
        api.config.module()
    ));
    module.items.into_iter().for_each(|item| file.text(item));
    let table = |entries: &[String]| match entries {
        [] => "&[]".to_owned(),
        entries => {
            let lines: String = entries.iter().map(|entry| format!("        {entry}\n")).collect();
            format!("&[\n{lines}    ]")
        }
    };
    file.laid(format!(
        "/// Where everything of this file is found.\npub(super) const PART: Part<Wired> = Part {{\n    types: {},\n    roots: {},\n    events: {},\n}};",
        table(&module.types),
        table(&module.roots),
        table(&module.events)
    ));
    file.finish()
}

/// `engine/mod.rs`: the constructor, and the way from a type's name to its function.
fn root(api: &Api<'_>, modules: &Modules) -> GeneratedFile {
    let mut file = api.whole("engine/mod.rs", "How the engine answers every field of the schema.");
    // A schema file may have any name, `traitql.graphql` for one: crates are named from the root.
    file.modules(modules.keys());
    file.item("use ::std::sync::{Arc, LazyLock};");
    file.item("use ::traitql::engine::{Answer, Call, EventColumns, PlanEngine, Rows, Sentence, Table, Wiring};");
    file.item(if api.has_roles() {
        "use super::{MANIFEST, SDL, seam, types};"
    } else {
        "use super::{MANIFEST, SDL, seam};"
    });
    let checked = if bind::has_enums(api) {
        "super::bind::value::check();"
    } else {
        ""
    };
    file.item(format!(
        "/// An engine over resolvers. The documents of the manifest are planned here, and served by their plans; any other document of
        /// the schema is executed as it comes. It is in a box, so that it is compiled once, with this crate. The buckets of `@rate` are
        /// those of `rates`: pass the same to every engine of a server.
        pub fn engine(resolvers: &seam::Resolvers, rates: Arc<::traitql::Rates>) -> impl ::traitql::Engine + use<> {{
            {checked}
            let engine: Box<dyn ::traitql::Engine> = Box::new(PlanEngine::<Wired>::new(resolvers.schema(), rates, MANIFEST));
            engine
        }}",
    ));
    file.item("/// Ties the schema to the engine.\npub(crate) struct Wired;");
    let root_name =
        |name: Option<&str>| name.map_or("None".to_owned(), |name| format!("Some({})", render::literal(name)));
    let role = match api.roles().filter(|_| api.has_roles()) {
        Some((role, _)) => format!("types::{}", api.rust(role)),
        None => "()".to_owned(),
    };
    let sentences: String = api
        .model
        .errors
        .iter()
        .map(|error| {
            let (code, say) = (render::literal(&error.code), render::literal(&error.say));
            format!("Sentence {{ code: {code}, http: {}, say: {say} }},\n", error.http)
        })
        .collect();
    let parts: String = modules
        .keys()
        .map(|module| format!("    self::{module}::PART,\n"))
        .collect();
    file.laid(format!(
        "/// What each file of the schema brings along.\nstatic TABLE: LazyLock<Table<Wired>> = LazyLock::new(|| Table::new(&[\n{parts}]));"
    ));
    file.item(format!(
        "impl Wiring for Wired {{
            type Schema = dyn seam::Schema;
            type Role = {role};
            const SDL: &'static str = SDL;
            const QUERY: &'static str = {query};
            const MUTATION: Option<&'static str> = {mutation};
            const SUBSCRIPTION: Option<&'static str> = {subscription};
            const SENTENCES: &'static [Sentence] = &[{sentences}];
            fn object(name: &str) -> Option<(&'static str, &'static [&'static str])> {{ TABLE.object(name) }}
            fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Answer<'c> {{ TABLE.column(rows, call) }}
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
