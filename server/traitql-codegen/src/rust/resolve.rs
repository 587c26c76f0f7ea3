//! The traits that the application implements, one per field with a resolver.

use std::fmt::Write as _;

use super::api::{Api, Resolver, Style};
use crate::{
    GeneratedFile,
    render::{self, RustFile},
};

/// One file per schema file, and `resolve/mod.rs` that lists them.
pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let modules = api.resolvers_by_module();
    let mut list = api.whole(
        "resolve/mod.rs",
        "What the application implements: a trait for each field with a resolver, named by the field's coordinate.",
    );
    list.item(
        modules
            .keys()
            .map(|module| format!("mod {module};"))
            .collect::<String>(),
    );
    list.item(
        modules
            .keys()
            .map(|module| format!("pub use {module}::*;"))
            .collect::<String>(),
    );
    files.push(list.finish());
    for (module, (source, resolvers)) in modules {
        let doc = format!("Resolvers of the fields in `{source}`.");
        let mut file = RustFile::new(api.path(&format!("resolve/{module}.rs")), &source, &doc);
        let traits: String = resolvers
            .iter()
            .map(|resolver| resolver_trait(api, resolver, &source))
            .collect();
        let used: Vec<&str> = ["field", "role", "types"]
            .into_iter()
            .filter(|name| traits.contains(&format!("{name}::")))
            .collect();
        file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
        file.item(traits);
        files.push(file.finish());
    }
    files
}

fn resolver_trait(api: &Api<'_>, resolver: &Resolver<'_>, source: &str) -> String {
    let Resolver {
        name,
        coordinate,
        field,
        ..
    } = resolver;
    let doc = render::doc(field.description.as_deref(), &format!("Resolves `{coordinate}`."));
    let line = render::lines(&format!("\n```graphql\n{}\n```", field.sdl));
    let many = if resolver.has_many_parameters() {
        "#[expect(clippy::too_many_arguments, reason = \"one parameter for each argument of the schema\")]\n"
    } else {
        ""
    };
    let hint = render::braces(&paste(api, resolver));
    let meanwhile = match api.config.samples {
        true => {
            format!("\nor list it for sample values meanwhile: `traitql::mocked! {{{{ {{Self}}: field::{name} }}}}`")
        }
        false => String::new(),
    };
    format!(
        "{doc}{line}#[diagnostic::on_unimplemented(
            message = {message},
            label = {label},
            note = {note},
        )]
        pub trait {name}: Send + Sync {{
            /// Answers the field.
            {many}fn resolve{generics}(&self, {parameters}) -> impl Future<Output = Result<{answer}, traitql::Throws<field::{name}>>> + Send;
        }}",
        message = render::literal(&format!("nothing resolves the field `{coordinate}`")),
        label = render::literal(&format!("`{{Self}}` needs `impl resolve::{name}`")),
        note = render::raw(&format!("{source} declares: {}\nwrite this into a file of your own:\n\n{hint}\n{meanwhile}", render::braces(&field.sdl))),
        generics = resolver.generics(),
        parameters = resolver.parameters(api, Style::Generated, ""),
        answer = resolver.answer(api, Style::Generated),
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
        resolver.parameters(api, Style::Shown, ""),
        resolver.answer(api, Style::Shown),
    );
    out
}
