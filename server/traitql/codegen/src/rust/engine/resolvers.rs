use traitql_schema::model::{Access, Authentication, RateBy, Type};

use super::types::row_type;
use crate::{
    flow,
    names::snake,
    render::{self, Text},
    rust::api::{Api, Guard, Output, Resolver, Style},
};

pub(super) fn item(api: &Api<'_>, resolver: &Resolver<'_>) -> Text {
    // A field in an extension of another file's type is called from that file's module.
    let is_extension = resolver.root.is_none() && resolver.object.origin.file != resolver.field.origin.file;
    let head = format!(
        "/// `{}: {}`\n{}fn",
        resolver.coordinate,
        resolver.field.ty,
        if is_extension { "pub(super) " } else { "" }
    );
    if resolver.guard == Guard::None && resolver.field.rate.is_none() {
        return Text::Formatted(unguarded(api, resolver, &head));
    }
    Text::Flow(guarded(api, resolver, &head))
}

fn guarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str) -> String {
    let steps = steps(api, resolver);
    let (answer, call) = return_type(resolver);
    let body = match resolver.output {
        Output::Events(_) => format!(
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

fn parameters(api: &Api<'_>, resolver: &Resolver<'_>) -> Vec<String> {
    let call = "call: &'c Call<'c, Generated>".to_owned();
    match row_type(api, resolver.object) {
        Some(rows) => vec![format!("rows: &'c [{rows}]"), call],
        None => vec![call],
    }
}

/// Returns the method of `call` that creates the type, too.
fn return_type(resolver: &Resolver<'_>) -> (&'static str, &'static str) {
    match &resolver.output {
        Output::Events(_) => (
            "traitql::__private::BoxFuture<'c, Result<EventColumns, traitql::FieldError>>",
            "events",
        ),
        Output::Value(_) => ("Resolution<'c>", "value"),
        Output::One(_) => ("Resolution<'c>", "one"),
        Output::Many(_) => ("Resolution<'c>", "many"),
    }
}

/// These are the majority, so their code contains plain calls: an `async` block takes rustc several times as long to
/// compile.
fn unguarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str) -> String {
    let method = &resolver.method;
    let mut arguments = vec!["call.cx()".to_owned()];
    arguments.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    arguments.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    let mut body = String::new();
    let future = if resolver.args.is_empty() {
        format!("call.resolvers().{method}({})", arguments.join(", "))
    } else {
        let resolve = render::call("        ", &format!("call.resolvers().{method}"), &arguments, "");
        body = format!(
            "    let resolve = |args: args::{}| {{\n{resolve}\n    }};\n",
            resolver.name
        );
        "call.with_arguments(resolve)".to_owned()
    };
    let (answer, call) = return_type(resolver);
    let signature = render::call(
        "",
        &format!("{head} {method}<'c>"),
        &parameters(api, resolver),
        &format!(" -> {answer} {{"),
    );
    let result = match resolver.output {
        Output::Events(_) => format!("    Box::pin(call.events({future}))"),
        _ => render::call("    ", &format!("call.{call}"), &[future], ""),
    };
    format!("{signature}\n{body}{result}\n}}\n")
}

/// Orders the steps: sign-in, role, last authentication, constraints, rate limit, resolver.
fn steps(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let mut out = String::new();
    if resolver.guard != Guard::None {
        out += "let account = call.account(call.resolvers().__account(call.cx())).await?;\n";
    }
    if !resolver.args.is_empty() {
        out += "let arguments = call.arguments()?;\n";
    }
    match (&resolver.guard, &resolver.field.access) {
        (
            Guard::Role(marker),
            Some(Access::Role {
                role, subject, path, ..
            }),
        ) => {
            let of = &api.model.subjects[*subject].of;
            let (ty, key) = subject_key(api, resolver, *subject, path);
            let variant = api.subject_variant(*subject);
            let borrow = if ty == "String" { "subject.as_str()" } else { "&subject" };
            let subject = format!(".at({})?", flow::list(&["&arguments", &list(path)]));
            let grant = format!(
                ".__grant({})",
                flow::list(&[
                    "call.cx()".to_owned(),
                    "&account".to_owned(),
                    format!("access::Subject::{variant}({})", flow::list(&[borrow])),
                ])
            );
            let pair = |first: &str, second: &str| format!("({})", flow::list(&[first, second]));
            let subject_id = pair(&render::literal(&variant), key);
            let required = pair(&render::literal(&words(of)), &render::literal(role));
            let viewer = format!(
                ".viewer::<{}>({})",
                flow::list(&[format!("role::{marker}")]),
                flow::list(&["&account", &subject_id, &required, "grant"])
            );
            out += &format!(
                "let subject: {ty} = {};\nlet grant = {};\nlet viewer = {};\n",
                flow::chain("call", &[subject]),
                flow::chain("call", &[".resolvers()", &grant]),
                flow::chain("call", &[&viewer, ".await?"]),
            );
        }
        (Guard::SignedIn, _) => out += "let viewer = call.signed_in(&account);\n",
        _ => {}
    }
    if let Some(Authentication { max_age, acr }) = resolver.field.access.as_ref().and_then(Access::authentication) {
        let acr = acr.as_ref().map(|level| render::literal(level));
        let option = |value: Option<String>| value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"));
        let (max_age, acr) = (option(max_age.map(|seconds| seconds.to_string())), option(acr));
        out += &format!("call.authenticated({max_age}, {acr})?;\n");
    }
    let by = resolver.field.rate.as_ref().map(|rate| &rate.by);
    if let Some(RateBy::Argument(path)) = by {
        let arguments = flow::list(&["&arguments", &list(path)]);
        out += &format!("let caller = traitql::engine::argument_key({arguments});\n");
    }
    if !resolver.args.is_empty() {
        let read = format!(".read({})?", flow::list(&["arguments"]));
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
        let rate = flow::literal("traitql::RateLimit", &fields);
        out += &format!("call.rate({})?;\n", flow::list(&[rate.as_str(), caller]));
    }
    let mut parameters = vec!["call.cx()".to_owned()];
    parameters.extend((resolver.guard != Guard::None).then(|| "&viewer".to_owned()));
    parameters.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    parameters.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    let resolve = format!(".{}({})", resolver.method, flow::list(&parameters));
    out + &flow::chain("call.resolvers()", &[resolve.as_str(), ".await"])
}

/// Returns an expression for the argument's text, too.
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

/// Splits a name into lower-case words: `BootTour` -> `boot tour`.
fn words(name: &str) -> String {
    snake(name).replace('_', " ")
}

fn list(path: &[String]) -> String {
    let parts: Vec<String> = path.iter().map(|part| render::literal(part)).collect();
    format!("&[{}]", flow::list(&parts))
}
