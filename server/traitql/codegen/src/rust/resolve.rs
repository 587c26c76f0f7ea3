use std::fmt::Write as _;

use super::{
    api::{Api, Output, Resolver, Style},
    modules::{by_object, region},
    sample,
};
use crate::{
    GeneratedFile,
    render::{self, RustFile, Text},
};

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let modules = api.resolvers_by_module();
    let sampled = sample::mockable(api);
    let mut list = api.whole(
        "resolve/mod.rs",
        "The traits that the application implements: one for each field with a resolver, named after the field's coordinate.",
    );
    list.modules(modules.keys());
    list.exports(modules.keys());
    files.push(list.finish());
    for (module, (source, resolvers)) in modules {
        let doc = format!("Resolvers of the fields in `{source}`.");
        let mut file = RustFile::new(api.path(&format!("resolve/{module}.rs")), &source, &doc);
        let mut traits: Vec<Text> = Vec::new();
        for (object, resolvers) in by_object(&resolvers) {
            let (begin, end) = region(object);
            traits.push(Text::Verbatim(begin));
            traits.extend(
                resolvers
                    .iter()
                    .map(|resolver| Text::Code(resolver_trait(api, resolver, &source, &sampled))),
            );
            traits.push(Text::Verbatim(end));
        }
        let used: Vec<&str> = ["field", "role", "types"]
            .into_iter()
            .filter(|name| {
                let path = format!("{name}::");
                traits.iter().any(|text| text.contains(&path))
            })
            .collect();
        file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
        traits.into_iter().for_each(|text| file.text(text));
        files.push(file.finish());
    }
    files
}

fn resolver_trait(api: &Api<'_>, resolver: &Resolver<'_>, source: &str, sampled: &[String]) -> String {
    let Resolver {
        name,
        coordinate,
        field,
        ..
    } = resolver;
    let doc = render::doc(field.description.as_deref(), &format!("Resolves `{coordinate}`."));
    let line = render::lines(&format!("\n```graphql\n{}\n```", field.sdl));
    let many = if resolver.has_many_parameters() {
        "    #[expect(clippy::too_many_arguments, reason = \"the field has one parameter per argument\")]\n"
    } else {
        ""
    };
    let hint = render::braces(&paste(api, resolver));
    let needed = if api.is_relation(resolver) {
        format!("load::{}", api.rust(field.ty.name()))
    } else {
        format!("resolve::{name}")
    };
    let sample_note = match (
        api.config.samples && !api.is_relation(resolver),
        sampled.binary_search(name),
    ) {
        (true, Ok(_)) => {
            format!("\nor return sample values until then: `traitql::mocked! {{{{ {{Self}}: field::{name} }}}}`")
        }
        // Since before its type was bound.
        (true, Err(_)) => format!(
            "\nthis field cannot be in `traitql::mocked!`: `{}` is or contains a type of your application, \
             which has no sample values",
            field.ty.name()
        ),
        (false, _) => String::new(),
    };
    let mut parameters = resolver.parameters(api, Style::Generated, "");
    parameters.insert(0, "&self".to_owned());
    let output = resolver.output_type(api, Style::Generated);
    let signature = format!(
        "fn resolve{}({}) -> impl Future<Output = Result<{output}, traitql::Throws<field::{name}>>> + Send;",
        resolver.generics(),
        parameters.join(", "),
    );
    let message = render::literal(&format!("no resolver for the field `{coordinate}`"));
    let label = render::literal(&format!("`{{Self}}` needs `impl {needed}`"));
    let note = render::raw(&format!(
        "{source} declares: {}\nwrite this in a file of your crate:\n\n{hint}\n{sample_note}",
        render::braces(&field.sdl)
    ));
    format!(
        "{doc}{line}#[diagnostic::on_unimplemented(\n    message = {message},\n    label = {label},\n    note = {note},\n)]
pub trait {name}: Send + Sync {{\n    /// Resolves the field.\n{many}{signature}\n}}\n"
    )
}

/// `\u{1}` is the placeholder for the implementing type.
pub(crate) fn paste(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    if let (true, Output::One(row)) = (api.is_relation(resolver), &resolver.output) {
        let (loader, row) = (api.rust(resolver.field.ty.name()), api.output(row, Style::Shown));
        return format!(
            "impl load::{loader} for \u{1} {{\n    async fn load(&self, cx: &Ctx, ids: &[Id]) -> Result<Vec<{row}>, Internal> {{\n        todo!()\n    }}\n}}"
        );
    }
    let Resolver { name, .. } = resolver;
    let mut out = String::new();
    let _ = write!(
        out,
        "impl resolve::{name} for \u{1} {{\n    async fn resolve{}(&self, {}) -> Result<{}, Throws<field::{name}>> {{\n        todo!()\n    }}\n}}",
        resolver.generics(),
        resolver.parameters(api, Style::Shown, "").join(", "),
        resolver.output_type(api, Style::Shown),
    );
    out
}
