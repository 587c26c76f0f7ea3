//! The wiring between the engine of the runtime and the generated types: which value or which resolver stands behind a field
//! of an object type. All algorithms are in the runtime; what is written here is one `match` per object type and one function
//! per resolver, so that an executor needs to be compiled only once, with the generated crate.

use std::collections::BTreeMap;

use traitql_schema::model::{Access, Field, FieldKind, Object, ObjectKind, RateBy, RootKind, Type, TypeRef};

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
                let (name, answer) = (render::literal(&object.name), fields_of(object));
                module
                    .types
                    .push(format!("({name}, |rows, call| {answer}(rows_of(rows), call)),"));
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
    let mut runtime = used(&[
        ("Answer", "-> Answer<'c>"),
        ("Call", "&'c Call<"),
        ("EventColumns", "EventColumns"),
        ("Output", "Output"),
    ]);
    for (name, there) in [
        ("Part", true),
        ("RowSet", module.items.iter().any(|item| item.contains("&mut RowSet"))),
        ("Shape", module.items.iter().any(|item| item.contains("-> Shape"))),
        ("rows_of", !module.types.is_empty()),
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
    file.item(format!("use {}::{{engine::Wired, {ours}}};", api.config.module()));
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

fn type_items(api: &Api<'_>, ty: &Type) -> Vec<Text> {
    match ty {
        Type::Scalar(_) | Type::Input(_) => Vec::new(),
        Type::Enum(ty) => {
            let text = match api.own(&ty.name) {
                None => "self.as_graphql()".to_owned(),
                Some(_) => format!("{}::value(self).as_graphql()", api.bind(&ty.name)),
            };
            vec![output(&pascal(&ty.rust), "_", &format!("Shape::text({text})"))]
        }
        Type::Interface(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Union(ty) => vec![sum(api, &ty.rust, &api.members(&ty.members))],
        Type::Object(object) => {
            let mut items = Vec::new();
            if has_struct(api, object) {
                let push = format!("rows.push({}, self)", render::literal(&object.name));
                items.push(output(&pascal(&object.rust), "rows", &push));
            }
            // The fields of roots are matched in the module of all, wherever they are asked for.
            if !matches!(object.kind, ObjectKind::Root(_)) {
                items.push(object_item(api, object));
            }
            items
        }
    }
}

fn output(name: &str, rows: &str, body: &str) -> Text {
    Text::Laid(format!(
        "impl Output for types::{name} {{\n    fn shape(self, {rows}: &mut RowSet) -> Shape {{\n        {body}\n    }}\n}}\n"
    ))
}

/// An interface or union is whichever of its members it is.
fn sum(api: &Api<'_>, name: &str, members: &[&str]) -> Text {
    let arms: String = members
        .iter()
        .map(|m| format!("            Self::{}(value) => value.shape(rows),\n", api.rust(m)))
        .collect();
    match members {
        [] => output(&pascal(name), "_", "match self {}"),
        _ => output(&pascal(name), "rows", &format!("match self {{\n{arms}        }}")),
    }
}

fn object_item(api: &Api<'_>, object: &Object) -> Text {
    let rows = row_type(api, object).unwrap_or_default();
    let parameters = [format!("rows: &'c [{rows}]"), "call: &'c Call<'c, Wired>".to_owned()];
    let signature = render::call(
        "",
        &format!("fn {}<'c>", fields_of(object)),
        &parameters,
        " -> Answer<'c>",
    );
    let head = format!("/// Fields of `{}`.\n{signature}", object.name);
    let body = match &object.kind {
        ObjectKind::Connection { edge, .. } => {
            let info = object
                .fields
                .iter()
                .find(|field| field.name == "pageInfo")
                .map_or("PageInfo", |f| f.ty.name());
            let edge = edge.as_deref().unwrap_or_default();
            format!(
                "traitql::engine::connection(rows, call, ({}, {}))",
                render::literal(edge),
                render::literal(info)
            )
        }
        ObjectKind::Edge { .. } => "traitql::engine::edge(rows, call)".to_owned(),
        ObjectKind::PageInfo => "traitql::engine::page_info(rows, call)".to_owned(),
        ObjectKind::Plain | ObjectKind::Root(_) => {
            if api.own(&object.name).is_some() {
                return Text::Raw(own_item(api, object, &head));
            }
            let arms = object.fields.iter().map(|field| arm(api, object, field));
            let arms: String = arms.map(|arm| format!("        {arm}")).collect();
            format!("match call.field() {{\n{arms}        _ => call.unknown(),\n    }}")
        }
    };
    Text::Laid(format!("{head} {{\n    {body}\n}}\n"))
}

/// Methods of what the trait of an own type demands besides: `Clone`, `PartialEq` and `Debug`.
const INHERITED: &[&str] = &["clone", "clone_from", "eq", "ne", "fmt"];

/// An own type is asked for its data through its trait, in a function of its own: if the trait is missing, rustc says so once.
fn own_item(api: &Api<'_>, object: &Object, head: &str) -> String {
    let (data, resolved): (Vec<&Field>, Vec<&Field>) =
        object.fields.iter().partition(|field| field.kind == FieldKind::Data);
    let resolved: String = resolved.into_iter().map(|field| arm(api, object, field)).collect();
    let data: String = data
        .into_iter()
        .map(|field| {
            let (name, method) = (render::literal(&field.name), ident(&snake(&field.rust)));
            let take = take(api, &field.ty).unwrap_or_else(|| "Output::shape".to_owned());
            // A trait above the own type's may have a method of the same name.
            let of = match INHERITED.contains(&method.as_str()) {
                true => format!("<T as {}>", api.bind(&object.name)),
                false => "T".to_owned(),
            };
            format!("{name} => call.data_as(rows, {of}::{method}, {take}),\n")
        })
        .collect();
    let of = format!("data_of_{}", snake(&object.rust));
    let choose = |arms: String, otherwise: &str| match arms.is_empty() {
        true => otherwise.to_owned(),
        false => format!("match call.field() {{ {arms} _ => {otherwise} }}"),
    };
    let rows = if data.is_empty() { "_" } else { "rows" };
    format!(
        "{head} {{ {} }}
        fn {of}<'c, T: {}>({rows}: &'c [T], call: &'c Call<'c, Wired>) -> Answer<'c> {{ {} }}\n",
        choose(resolved, &format!("{of}(rows, call)")),
        api.bind(&object.name),
        choose(data, "call.unknown()"),
    )
}

fn arm(api: &Api<'_>, object: &Object, field: &Field) -> String {
    let name = render::literal(&field.name);
    if field.kind == FieldKind::Resolved {
        // The resolver stands where the field is written, which is another file than the type's when it extends the type.
        let (here, there) = (api.module(&object.origin.file), api.module(&field.origin.file));
        let path = if here == there {
            String::new()
        } else {
            format!("super::{there}::")
        };
        return format!("{name} => {path}{}(rows, call),\n", method(object, field));
    }
    let place = ident(&snake(&field.rust));
    match take(api, &field.ty) {
        None => format!("{name} => call.data(rows, |row| &row.{place}),\n"),
        Some(take) => format!("{name} => call.data_as(rows, |row| row.{place}.clone(), {take}),\n"),
    }
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
    let (Answer::Value(ty) | Answer::Events(ty) | Answer::One(ty) | Answer::Many(ty)) = &resolver.answer;
    let take = take(api, ty).unwrap_or_else(|| "Output::shape".to_owned());
    if resolver.guard == Guard::None && resolver.field.rate.is_none() {
        return Text::Laid(unguarded(api, resolver, &head, &take));
    }
    let ask = format!("async move {{ {} }}", steps(api, resolver));
    Text::Raw(match (&resolver.answer, row_type(api, resolver.object)) {
        (Answer::Events(_), _) => format!(
            "{head} {method}<'c>(call: &'c Call<'c, Wired>)
                -> traitql::__private::BoxFuture<'c, Result<EventColumns, traitql::FieldError>>
            {{ Box::pin(call.events({ask}, {take})) }}\n"
        ),
        (Answer::Value(_), _) => {
            format!("{head} {method}<'c>(call: &'c Call<'c, Wired>) -> Answer<'c> {{ call.value({ask}, {take}) }}\n")
        }
        (Answer::One(_) | Answer::Many(_), rows) => format!(
            "{head} {method}<'c>(rows: &'c [{}], call: &'c Call<'c, Wired>) -> Answer<'c> {{ call.{}({ask}, {take}) }}\n",
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
fn unguarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str, take: &str) -> String {
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
        Answer::Events(_) => format!("    Box::pin(call.events({ask}, {take}))"),
        _ => render::call("    ", &format!("call.{call}"), &[ask, take.to_owned()], ""),
    };
    format!("{signature}\n{body}{answered}\n}}\n")
}

/// How a value is taken apart that does not know which type of the schema it stands for: pages and their parts are types of
/// the runtime. `None` for all others, which know it.
fn take(api: &Api<'_>, ty: &TypeRef) -> Option<String> {
    match ty {
        TypeRef::NonNull(inner) => match &**inner {
            TypeRef::List(entry) => Some(format!("traitql::engine::list({})", take(api, entry)?)),
            named => match api.model.types.get(named.name()) {
                Some(Type::Object(Object {
                    kind: ObjectKind::Connection { .. } | ObjectKind::Edge { .. } | ObjectKind::PageInfo,
                    ..
                })) => Some(format!(
                    "|part, rows| rows.push({}, part)",
                    render::literal(named.name())
                )),
                _ => None,
            },
        },
        nullable => {
            let present = take(api, &TypeRef::NonNull(Box::new(nullable.clone())))?;
            Some(format!("traitql::engine::nullable({present})"))
        }
    }
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
    file.item("use ::traitql::engine::{Answer, Call, EventColumns, GraphqlEngine, Rows, Sentence, Table, Wiring};");
    file.item(if api.has_roles() {
        "use super::{SDL, seam, types};"
    } else {
        "use super::{SDL, seam};"
    });
    let checked = if bind::has_enums(api) {
        "super::bind::value::check();"
    } else {
        ""
    };
    file.item(format!(
        "/// An engine over resolvers for any document of the schema. Compiled once, with this crate. The buckets of `@rate` are those of
        /// `rates`: pass the same to every engine of a server.
        pub fn engine(resolvers: &seam::Resolvers, rates: Arc<::traitql::Rates>) -> impl ::traitql::Engine + use<> {{
            {checked}
            GraphqlEngine::<Wired>::new(resolvers.schema(), rates)
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
