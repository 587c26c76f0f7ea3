//! The function that asks a resolver, and what happens before: signed in, role, rules, rate.

use traitql_schema::model::{Access, RateBy, Type};

use super::types::row_type;
use crate::{
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
