//! The function that asks a resolver, and what happens before: signed in, role, rules, rate.

use traitql_schema::model::{Access, RateBy, Type};

use super::types::row_type;
use crate::{
    flow,
    names::snake,
    render::{self, Text},
    rust::api::{Answer, Api, Guard, Resolver, Style},
};

/// The function that asks a resolver.
pub(super) fn item(api: &Api<'_>, resolver: &Resolver<'_>) -> Text {
    // A field that extends a type of another file is called from there.
    let apart = resolver.root.is_none() && resolver.object.origin.file != resolver.field.origin.file;
    let head = format!(
        "/// `{}: {}`\n{}fn",
        resolver.coordinate,
        resolver.field.ty,
        if apart { "pub(super) " } else { "" }
    );
    if resolver.guard == Guard::None && resolver.field.rate.is_none() {
        return Text::Laid(unguarded(api, resolver, &head));
    }
    Text::Flow(guarded(api, resolver, &head))
}

/// A resolver with something before it.
fn guarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str) -> String {
    let steps = steps(api, resolver);
    let (answer, call) = answer(resolver);
    let body = match resolver.answer {
        Answer::Events(_) => format!(
            "    Box::pin(\n        call\n            .{call}(async move {{\n{}            }}),\n    )\n",
            render::indented(&steps, 4)
        ),
        _ => format!(
            "    call.{call}(async move {{\n{}    }})\n",
            render::indented(&steps, 2)
        ),
    };
    let parameters = flow::list(&parameters(api, resolver));
    format!(
        "{head} {}<'c>({parameters}) -> {answer} {{\n{body}}}\n",
        resolver.method
    )
}

/// The parameters of the function that asks a resolver.
fn parameters(api: &Api<'_>, resolver: &Resolver<'_>) -> Vec<String> {
    let call = "call: &'c Call<'c, Wired>".to_owned();
    match row_type(api, resolver.object) {
        Some(rows) => vec![format!("rows: &'c [{rows}]"), call],
        None => vec![call],
    }
}

/// What that function answers, and the method of `call` that makes it.
fn answer(resolver: &Resolver<'_>) -> (&'static str, &'static str) {
    match &resolver.answer {
        Answer::Events(_) => (
            "traitql::__private::BoxFuture<'c, Result<EventColumns, traitql::FieldError>>",
            "events",
        ),
        Answer::Value(_) => ("Answer<'c>", "value"),
        Answer::One(_) => ("Answer<'c>", "one"),
        Answer::Many(_) => ("Answer<'c>", "many"),
    }
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
    let (answer, call) = answer(resolver);
    let signature = render::call(
        "",
        &format!("{head} {method}<'c>"),
        &parameters(api, resolver),
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
            let subject = format!(".at({})?", flow::list(&["&given", &list(path)]));
            let grant = format!(
                ".__grant({})",
                flow::list(&[
                    "call.cx()".to_owned(),
                    "&account".to_owned(),
                    format!("access::Subject::{variant}({})", flow::list(&[borrow])),
                ])
            );
            let pair = |first: &str, second: &str| format!("({})", flow::list(&[first, second]));
            let place = pair(&render::literal(&variant), key);
            let least = pair(&render::literal(&words(of)), &render::literal(role));
            let viewer = format!(
                ".viewer::<{}>({})",
                flow::list(&[format!("role::{marker}")]),
                flow::list(&["&account", &place, &least, "ask"])
            );
            out += &format!(
                "let subject: {ty} = {};\nlet ask = {};\nlet viewer = {};\n",
                flow::chain("call", &[subject]),
                flow::chain("call", &[".resolvers()", &grant]),
                flow::chain("call", &[&viewer, ".await?"]),
            );
        }
        (Guard::SignedIn, _) => out += "let viewer = call.signed_in(&account);\n",
        _ => {}
    }
    let by = resolver.field.rate.as_ref().map(|rate| &rate.by);
    if let Some(RateBy::Argument(path)) = by {
        let given = flow::list(&["&given", &list(path)]);
        out += &format!("let caller = traitql::engine::caller_key({given});\n");
    }
    if !resolver.args.is_empty() {
        let read = format!(".read({})?", flow::list(&["given"]));
        out += &format!(
            "let args: args::{} = {};\n",
            resolver.name,
            flow::chain("call", &[read])
        );
    }
    if let Some(rate) = &resolver.field.rate {
        let caller = match &rate.by {
            RateBy::Account if resolver.guard != Guard::None => "Some(account.as_str())",
            RateBy::Account | RateBy::Address => "None",
            RateBy::Argument(_) => "Some(&caller)",
        };
        let fields = [
            format!("field: {}", render::literal(&resolver.coordinate)),
            format!("limit: {}", rate.limit),
            format!("window_seconds: {}", rate.window_seconds),
        ];
        let rate = flow::literal("traitql::Rate", &fields);
        out += &format!("call.rate({})?;\n", flow::list(&[rate.as_str(), caller]));
    }
    let mut parameters = vec!["call.cx()".to_owned()];
    parameters.extend((resolver.guard != Guard::None).then(|| "&viewer".to_owned()));
    parameters.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    parameters.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    let ask = format!(".{}({})", resolver.method, flow::list(&parameters));
    out + &flow::chain("call.resolvers()", &[ask.as_str(), ".await"])
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
    format!("&[{}]", flow::list(&parts))
}
