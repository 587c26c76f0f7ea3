//! The traits that the application implements, one per field with a resolver.

use std::fmt::Write as _;

use super::{
    api::{Api, Resolver, Style},
    modules::{by_object, region},
    sample,
};
use crate::{
    GeneratedFile,
    render::{self, RustFile},
};

/// One file per schema file, and `resolve/mod.rs` that lists them.
pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let modules = api.resolvers_by_module();
    let sampled = sample::mockable(api);
    let mut list = api.whole(
        "resolve/mod.rs",
        "What the application implements: a trait for each field with a resolver, named by the field's coordinate.",
    );
    list.modules(modules.keys());
    list.exports(modules.keys());
    files.push(list.finish());
    for (module, (source, resolvers)) in modules {
        let doc = format!("Resolvers of the fields in `{source}`.");
        let mut file = RustFile::new(api.path(&format!("resolve/{module}.rs")), &source, &doc);
        let mut traits: Vec<String> = Vec::new();
        for (object, resolvers) in by_object(&resolvers) {
            let (begin, end) = region(object);
            traits.push(begin);
            traits.extend(
                resolvers
                    .iter()
                    .map(|resolver| resolver_trait(api, resolver, &source, &sampled)),
            );
            traits.push(end);
        }
        let used: Vec<&str> = ["field", "role", "types"]
            .into_iter()
            .filter(|name| {
                let path = format!("{name}::");
                traits.iter().any(|text| text.contains(&path))
            })
            .collect();
        file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
        traits.into_iter().for_each(|text| file.laid(text));
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
        "    #[expect(clippy::too_many_arguments, reason = \"one parameter for each argument of the schema\")]\n"
    } else {
        ""
    };
    let hint = render::braces(&paste(api, resolver));
    let meanwhile = match (api.config.samples, sampled.binary_search(name)) {
        (true, Ok(_)) => {
            format!("\nor list it for sample values meanwhile: `traitql::mocked! {{{{ {{Self}}: field::{name} }}}}`")
        }
        // It may have been listed before codegen.yml named that type.
        (true, Err(_)) => format!(
            "\nthere are no sample values for it, because `{}` is or holds a type of your own: \
             a line in `traitql::mocked!` does nothing",
            field.ty.name()
        ),
        (false, _) => String::new(),
    };
    let mut parameters = resolver.parameters(api, Style::Generated, "");
    parameters.insert(0, "&self".to_owned());
    let answer = resolver.answer(api, Style::Generated);
    let signature = render::call(
        "    ",
        &format!("fn resolve{}", resolver.generics()),
        &parameters,
        &format!(" -> impl Future<Output = Result<{answer}, traitql::Throws<field::{name}>>> + Send;"),
    );
    let message = render::literal(&format!("nothing resolves the field `{coordinate}`"));
    let label = render::literal(&format!("`{{Self}}` needs `impl resolve::{name}`"));
    let note = render::raw(&format!(
        "{source} declares: {}\nwrite this into a file of your own:\n\n{hint}\n{meanwhile}",
        render::braces(&field.sdl)
    ));
    format!(
        "{doc}{line}#[diagnostic::on_unimplemented(\n    message = {message},\n    label = {label},\n    note = {note},\n)]
pub trait {name}: Send + Sync {{\n    /// Answers the field.\n{many}{signature}\n}}\n"
    )
}

/// The `impl` that a person starts from; `{Self}` stands for their type.
pub(crate) fn paste(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let Resolver { name, .. } = resolver;
    let mut out = String::new();
    let _ = write!(
        out,
        "impl resolve::{name} for \u{1} {{\n    async fn resolve{}(&self, {}) -> Result<{}, Throws<field::{name}>> {{\n        todo!()\n    }}\n}}",
        resolver.generics(),
        resolver.parameters(api, Style::Shown, "").join(", "),
        resolver.answer(api, Style::Shown),
    );
    out
}
