//! The wiring between the engine of the runtime and the generated types: which value or which resolver stands behind a field
//! of an object type. All algorithms are in the runtime; what is written here is one `match` per object type and one function
//! per resolver, so that an executor needs to be compiled only once, with the generated crate.

use std::collections::BTreeMap;

use traitql_schema::model::{Access, Field, FieldKind, Object, ObjectKind, RateBy, RootKind, Type};

use super::{
    api::{Answer, Api, Guard, Resolver, Style},
    bind,
    modules::{by_object, region},
    types::has_struct,
};
use crate::{
    GeneratedFile,
    names::{ident, pascal, snake},
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
        self.items.push(resolver_item(api, resolver));
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
    for (name, (source, types)) in api.types_by_module() {
        let module = modules.entry(name).or_default();
        module.source = source;
        for ty in types {
            module.items.extend(type_items(api, ty));
            if let Type::Object(object) = ty
                && !matches!(object.kind, ObjectKind::Root(_))
            {
                module.types.push(table_entry(api, object));
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
        ("access", " access::"),
        ("args", " args::"),
        ("role", "<role::"),
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

/// Name of the function that answers fields of an object type.
fn fields_of(object: &Object) -> String {
    format!("fields_of_{}", snake(&object.rust))
}

/// The Rust type of the rows of an object type; `None` for roots, whose only row is nothing.
fn row_type(api: &Api<'_>, object: &Object) -> Option<String> {
    match &object.kind {
        ObjectKind::Root(_) => None,
        ObjectKind::Connection { node, .. } => Some(format!("traitql::Page<{}>", api.named(node, Style::Generated))),
        ObjectKind::Edge { node } => Some(format!("traitql::Edge<{}>", api.named(node, Style::Generated))),
        ObjectKind::PageInfo => Some("traitql::PageInfo".to_owned()),
        ObjectKind::Plain => Some(api.named(&object.name, Style::Generated)),
    }
}

/// The entry of an object type in the table of the runtime's `Part`.
fn table_entry(api: &Api<'_>, object: &Object) -> String {
    let (name, rows) = (render::literal(&object.name), row_type(api, object).unwrap_or_default());
    let answer = match resolved(object).next() {
        Some(_) => format!("|rows, call| {}(rows_of(rows), call)", fields_of(object)),
        None => "unresolved".to_owned(),
    };
    format!("({name}, <{rows} as Data>::FIELDS, {answer}),")
}

/// The fields that resolvers answer.
fn resolved(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Resolved)
}

fn data(object: &Object) -> impl Iterator<Item = &Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Data)
}

fn type_items(api: &Api<'_>, ty: &Type) -> Vec<Text> {
    match ty {
        Type::Scalar(_) | Type::Input(_) => Vec::new(),
        Type::Enum(ty) => {
            let name = pascal(&ty.rust);
            vec![Text::Laid(match api.own(&ty.name) {
                None => format!("traitql::names!(types::{name}, types::{name}::as_graphql);\n"),
                Some(_) => format!(
                    "traitql::own_names!(types::{name}, |value| {}::value(value).as_graphql());\n",
                    api.bind(&ty.name)
                ),
            })]
        }
        Type::Interface(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Union(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Object(object) => {
            let mut items = Vec::new();
            match api.own(&object.name) {
                Some(_) => items.push(own_item(api, object)),
                None if has_struct(api, object) => items.push(object_item(object)),
                None => {}
            }
            // The fields of roots are matched in the module of all, wherever they are asked for.
            if !matches!(object.kind, ObjectKind::Root(_)) && resolved(object).next().is_some() {
                items.push(fields_item(api, object));
            }
            items
        }
    }
}

/// An interface or union is whichever of its members it is.
fn sum(api: &Api<'_>, name: &str, members: &[&str]) -> Text {
    let members: Vec<String> = members.iter().map(|member| api.rust(member)).collect();
    let name = pascal(name);
    Text::Laid(match &members[..] {
        [] => format!("traitql::sum!(types::{name} {{}});\n"),
        members => format!(
            "traitql::sum!(types::{name} {{\n    {},\n}});\n",
            members.join(",\n    ")
        ),
    })
}

/// The fields that are parts of a value.
fn object_item(object: &Object) -> Text {
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let is_root = matches!(object.kind, ObjectKind::Root(_));
    let fields = data(object).filter(|_| !is_root).enumerate().map(|(number, field)| {
        let place = ident(&snake(&field.rust));
        format!("    {number} {} => {place},\n", render::literal(&field.name))
    });
    let fields: String = fields.collect();
    Text::Laid(match fields.is_empty() {
        true => format!("traitql::object!(types::{name}, {graphql} {{}});\n"),
        false => format!("traitql::object!(types::{name}, {graphql} {{\n{fields}}});\n"),
    })
}

/// Methods of what the trait of an own type demands besides: `Clone`, `PartialEq` and `Debug`.
const INHERITED: &[&str] = &["clone", "clone_from", "eq", "ne", "fmt"];

/// An own type is asked for its data through its trait, in a function of its own: if the trait is missing, rustc says so once.
fn own_item(api: &Api<'_>, object: &Object) -> Text {
    let names: Vec<String> = data(object).map(|field| render::literal(&field.name)).collect();
    let arms: String = data(object)
        .enumerate()
        .map(|(number, field)| {
            let method = ident(&snake(&field.rust));
            // A trait above the own type's may have a method of the same name.
            let of = match INHERITED.contains(&method.as_str()) {
                true => format!("<T as {}>", api.bind(&object.name)),
                false => "T".to_owned(),
            };
            format!("{number} => visitor.made(|| {of}::{method}(row)),\n")
        })
        .collect();
    let (name, graphql) = (pascal(&object.rust), render::literal(&object.name));
    let of = format!("data_of_{}", snake(&object.rust));
    let row = if names.is_empty() { "_" } else { "row" };
    let body = match names.is_empty() {
        true => "visitor.unknown()".to_owned(),
        false => format!("match field {{ {arms} _ => visitor.unknown() }}"),
    };
    let field = if names.is_empty() { "_" } else { "field" };
    Text::Raw(format!(
        "traitql::rows!(types::{name}, {graphql});

        impl Data for types::{name} {{
            const FIELDS: &'static [&'static str] = &[{}];
            fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Answer {{ {of}(self, field, visitor) }}
        }}

        fn {of}<T: {}, V: Visitor>({row}: &T, {field}: usize, visitor: V) -> V::Answer {{ {body} }}\n",
        names.join(", "),
        api.bind(&object.name),
    ))
}

/// The fields that resolvers answer.
fn fields_item(api: &Api<'_>, object: &Object) -> Text {
    let rows = row_type(api, object).unwrap_or_default();
    let parameters = [format!("rows: &'c [{rows}]"), "call: &'c Call<'c, Wired>".to_owned()];
    let signature = render::call(
        "",
        &format!("fn {}<'c>", fields_of(object)),
        &parameters,
        " -> Answer<'c>",
    );
    let arms: String = resolved(object)
        .map(|field| format!("        {}", arm(api, object, field)))
        .collect();
    Text::Laid(format!(
        "/// The fields of `{}` that resolvers answer.\n{signature} {{\n    match call.field() {{\n{arms}        _ => call.unknown(),\n    }}\n}}\n",
        object.name
    ))
}

fn arm(api: &Api<'_>, object: &Object, field: &Field) -> String {
    // The resolver stands where the field is written, which is another file than the type's when it extends the type.
    let (here, there) = (api.module(&object.origin.file), api.module(&field.origin.file));
    let path = if here == there {
        String::new()
    } else {
        format!("super::{there}::")
    };
    let name = render::literal(&field.name);
    format!("{name} => {path}{}(rows, call),\n", method(object, field))
}

/// Name of a resolver in the seam; also of the function that asks it.
fn method(object: &Object, field: &Field) -> String {
    snake(&format!("{}{}", pascal(&object.rust), pascal(&field.rust)))
}

fn resolver_item(api: &Api<'_>, resolver: &Resolver<'_>) -> Text {
    // A field that extends a type of another file is called from there.
    let apart = resolver.root.is_none() && resolver.object.origin.file != resolver.field.origin.file;
    let head = format!(
        "/// `{}: {}`\n{}fn",
        resolver.coordinate,
        resolver.field.ty,
        if apart { "pub(super) " } else { "" }
    );
    let method = &resolver.method;
    if resolver.guard == Guard::None && resolver.field.rate.is_none() {
        return Text::Laid(unguarded(api, resolver, &head));
    }
    let ask = format!("async move {{ {} }}", steps(api, resolver));
    Text::Raw(match (&resolver.answer, row_type(api, resolver.object)) {
        (Answer::Events(_), _) => format!(
            "{head} {method}<'c>(call: &'c Call<'c, Wired>)
                -> traitql::__private::BoxFuture<'c, Result<EventColumns, traitql::FieldError>>
            {{ Box::pin(call.events({ask})) }}\n"
        ),
        (Answer::Value(_), _) => {
            format!("{head} {method}<'c>(call: &'c Call<'c, Wired>) -> Answer<'c> {{ call.value({ask}) }}\n")
        }
        (Answer::One(_) | Answer::Many(_), rows) => format!(
            "{head} {method}<'c>(rows: &'c [{}], call: &'c Call<'c, Wired>) -> Answer<'c> {{ call.{}({ask}) }}\n",
            rows.unwrap_or_default(),
            if matches!(resolver.answer, Answer::One(_)) {
                "one"
            } else {
                "many"
            },
        ),
    })
}

/// A resolver that nothing stands before but its arguments. Most are, so they are laid out here, and their bodies are plain
/// calls: rustc takes several times as long for an `async` block.
fn unguarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str) -> String {
    let method = &resolver.method;
    let mut given = vec!["call.cx()".to_owned()];
    given.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    given.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    let mut body = String::new();
    let ask = if resolver.args.is_empty() {
        format!("call.resolvers().{method}({})", given.join(", "))
    } else {
        let asked = render::call("        ", &format!("call.resolvers().{method}"), &given, "");
        body = format!("    let ask = |args: args::{}| {{\n{asked}\n    }};\n", resolver.name);
        "call.given(ask)".to_owned()
    };
    let parameters = match row_type(api, resolver.object) {
        Some(rows) => vec![format!("rows: &'c [{rows}]"), "call: &'c Call<'c, Wired>".to_owned()],
        None => vec!["call: &'c Call<'c, Wired>".to_owned()],
    };
    let (answer, call) = match &resolver.answer {
        Answer::Events(_) => (
            "traitql::__private::BoxFuture<'c, Result<EventColumns, traitql::FieldError>>",
            "events",
        ),
        Answer::Value(_) => ("Answer<'c>", "value"),
        Answer::One(_) => ("Answer<'c>", "one"),
        Answer::Many(_) => ("Answer<'c>", "many"),
    };
    let signature = render::call(
        "",
        &format!("{head} {method}<'c>"),
        &parameters,
        &format!(" -> {answer} {{"),
    );
    let answered = match resolver.answer {
        Answer::Events(_) => format!("    Box::pin(call.events({ask}))"),
        _ => render::call("    ", &format!("call.{call}"), &[ask], ""),
    };
    format!("{signature}\n{body}{answered}\n}}\n")
}

/// What happens before the resolver is called, and the call: signed in, role, rules, rate, resolver.
fn steps(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let mut out = String::new();
    if resolver.guard != Guard::None {
        out += "let account = call.account(call.resolvers().__account(call.cx())).await?;\n";
    }
    if !resolver.args.is_empty() {
        out += "let given = call.arguments()?;\n";
    }
    match (&resolver.guard, &resolver.field.access) {
        (Guard::Role(marker), Some(Access::Role { role, subject, path })) => {
            let of = &api.model.subjects[*subject].of;
            let (ty, key) = subject_key(api, resolver, *subject, path);
            let variant = api.subject_variant(*subject);
            let borrow = if ty == "String" { "subject.as_str()" } else { "&subject" };
            out += &format!(
                "let subject: {ty} = call.at(&given, {path})?;
                let ask = call.resolvers().__grant(call.cx(), &account, access::Subject::{variant}({borrow}));
                let viewer = call.viewer::<role::{marker}>(&account, ({kind}, {key}), ({thing}, {role}), ask).await?;\n",
                path = list(path),
                kind = render::literal(&variant),
                thing = render::literal(&words(of)),
                role = render::literal(role),
            );
        }
        (Guard::SignedIn, _) => out += "let viewer = call.signed_in(&account);\n",
        _ => {}
    }
    let by = resolver.field.rate.as_ref().map(|rate| &rate.by);
    if let Some(RateBy::Argument(path)) = by {
        out += &format!("let caller = traitql::engine::caller_key(&given, {});\n", list(path));
    }
    if !resolver.args.is_empty() {
        out += &format!("let args: args::{} = call.read(given)?;\n", resolver.name);
    }
    if let Some(rate) = &resolver.field.rate {
        let caller = match &rate.by {
            RateBy::Account if resolver.guard != Guard::None => "Some(account.as_str())",
            RateBy::Account | RateBy::Address => "None",
            RateBy::Argument(_) => "Some(&caller)",
        };
        out += &format!(
            "call.rate(traitql::Rate {{ field: {}, limit: {}, window_seconds: {} }}, {caller})?;\n",
            render::literal(&resolver.coordinate),
            rate.limit,
            rate.window_seconds
        );
    }
    let mut parameters = vec!["call.cx()".to_owned()];
    parameters.extend((resolver.guard != Guard::None).then(|| "&viewer".to_owned()));
    parameters.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    parameters.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    out + &format!("call.resolvers().{}({}).await", resolver.method, parameters.join(", "))
}

/// The type of the argument that names a subject, and an expression for its text.
fn subject_key(api: &Api<'_>, resolver: &Resolver<'_>, subject: usize, path: &[String]) -> (String, &'static str) {
    if api.model.subjects[subject].by.is_none() {
        return ("traitql::Id".to_owned(), "subject.as_str()");
    }
    match argument_type(api, resolver, path).as_deref() {
        None | Some("String") => ("String".to_owned(), "subject.as_str()"),
        Some("ID") => ("traitql::Id".to_owned(), "subject.as_str()"),
        Some(name) => (api.named(name, Style::Generated), "&format!(\"{subject:?}\")"),
    }
}

fn argument_type(api: &Api<'_>, resolver: &Resolver<'_>, path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let argument = resolver.field.args.iter().find(|argument| argument.name == *first)?;
    let mut name = argument.ty.name();
    for field in rest {
        let Some(Type::Input(input)) = api.model.types.get(name) else {
            return None;
        };
        name = input.fields.iter().find(|f| f.name == *field)?.ty.name();
    }
    Some(name.to_owned())
}

/// `BootTour` -> `boot tour`
fn words(name: &str) -> String {
    snake(name).replace('_', " ")
}

fn list(path: &[String]) -> String {
    let parts: Vec<String> = path.iter().map(|part| render::literal(part)).collect();
    format!("&[{}]", parts.join(", "))
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
        /// the schema is executed as it comes. Compiled once, with this crate. The buckets of `@rate` are those of `rates`: pass the
        /// same to every engine of a server.
        pub fn engine(resolvers: &seam::Resolvers, rates: Arc<::traitql::Rates>) -> impl ::traitql::Engine + use<> {{
            {checked}
            PlanEngine::<Wired>::new(resolvers.schema(), rates, MANIFEST)
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
