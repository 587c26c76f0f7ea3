use traitql_schema::model::{Access, Authentication, RateBy, Type};

use super::types::row_type;
use crate::{
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
        return Text::Code(unguarded(api, resolver, &head));
    }
    Text::Code(guarded(api, resolver, &head))
}

fn guarded(api: &Api<'_>, resolver: &Resolver<'_>, head: &str) -> String {
    let steps = steps(api, resolver);
    let (answer, call) = return_type(resolver);
    let body = match resolver.output {
        Output::Events(_) => format!("Box::pin(call.{call}(async move {{ {steps} }}))"),
        _ => format!("call.{call}(async move {{ {steps} }})"),
    };
    let parameters = parameters(api, resolver).join(", ");
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
        body = format!(
            "let resolve = |args: args::{}| {{ call.resolvers().{method}({}) }};\n",
            resolver.name,
            arguments.join(", ")
        );
        "call.with_arguments(resolve)".to_owned()
    };
    let (answer, call) = return_type(resolver);
    let result = match resolver.output {
        Output::Events(_) => format!("Box::pin(call.events({future}))"),
        _ => format!("call.{call}({future})"),
    };
    let parameters = parameters(api, resolver).join(", ");
    format!("{head} {method}<'c>({parameters}) -> {answer} {{ {body}{result} }}\n")
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
            let (name, subject_words, role) = (
                render::literal(&variant),
                render::literal(&words(of)),
                render::literal(role),
            );
            out += &format!(
                "let subject: {ty} = call.at(&arguments, {})?;
                let grant = call.resolvers().__grant(call.cx(), &account, access::Subject::{variant}({borrow}));
                let viewer = call.viewer::<role::{marker}>(&account, ({name}, {key}), ({subject_words}, {role}), grant).await?;\n",
                list(path)
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
        let path = list(path);
        out += &format!("let caller = traitql::engine::argument_key(&arguments, {path});\n");
    }
    if !resolver.args.is_empty() {
        out += &format!("let args: args::{} = call.read(arguments)?;\n", resolver.name);
    }
    if let Some(rate) = &resolver.field.rate {
        let caller = match &rate.by {
            RateBy::Account if resolver.guard != Guard::None => "Some(account.as_str())",
            RateBy::Account | RateBy::Address => "None",
            RateBy::Argument(_) => "Some(&caller)",
        };
        let (field, limit, window) = (render::literal(&resolver.coordinate), rate.limit, rate.window_seconds);
        out += &format!(
            "call.rate(traitql::RateLimit {{ field: {field}, limit: {limit}, window_seconds: {window} }}, {caller})?;\n"
        );
    }
    let mut parameters = vec!["call.cx()".to_owned()];
    parameters.extend((resolver.guard != Guard::None).then(|| "&viewer".to_owned()));
    parameters.extend(resolver.root.is_none().then(|| "call.batch(rows)".to_owned()));
    parameters.extend(resolver.args.iter().map(|arg| format!("args.{}", arg.name)));
    out + &format!("call.resolvers().{}({}).await", resolver.method, parameters.join(", "))
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
    format!("&[{}]", parts.join(", "))
}
