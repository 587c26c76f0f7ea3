//! Loaders, and the resolvers of the fields whose keys `traitql.relations` declares.

use std::collections::BTreeMap;

use super::api::{Api, Output, Resolver, Style};
use crate::GeneratedFile;
use crate::relations::{Key, key_type};
use crate::render;

/// Returns the types of the loaders, with the fields that they resolve.
fn loaders<'r, 'a>(api: &'r Api<'a>) -> BTreeMap<&'a str, Vec<(&'r Resolver<'a>, &'a str)>> {
    let mut loaders: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for resolver in &api.resolvers {
        if let Some(key) = api.config.relations.get(&resolver.coordinate) {
            loaders
                .entry(resolver.field.ty.name())
                .or_default()
                .push((resolver, key.as_str()));
        }
    }
    loaders
}

pub(crate) fn file(api: &Api<'_>) -> Option<GeneratedFile> {
    let loaders = loaders(api);
    if loaders.is_empty() {
        return None;
    }
    let mut file = api.whole(
        "load.rs",
        "The loaders that the application implements: one for each type to which `traitql.relations` refers. They resolve the\n\
         declared fields, each with one call for all parents.",
    );
    file.item(format!("use {}::{{field, resolve, types}};", api.config.module()));
    for (name, fields) in loaders {
        let Some((first, _)) = fields.first() else { continue };
        let Output::One(row) = &first.output else { continue };
        let (loader, row) = (api.rust(name), api.output(row, Style::Generated));
        file.item(loader_trait(&loader, &row, &fields));
        for (resolver, key) in fields {
            file.item(implementation(api, resolver, &loader, key));
        }
    }
    Some(file.finish())
}

fn loader_trait(loader: &str, row: &str, fields: &[(&Resolver<'_>, &str)]) -> String {
    let resolved: Vec<String> = fields
        .iter()
        .map(|(resolver, _)| format!("`{}`", resolver.coordinate))
        .collect();
    let message = render::literal(&format!("no loader for the type `{loader}`"));
    let label = render::literal(&format!("`{{Self}}` needs `impl load::{loader}`"));
    let note = render::literal(&format!(
        "`traitql.relations` in codegen.yml declares the keys of {}",
        resolved.join(", ")
    ));
    format!(
        "/// Loads rows of `{loader}`. Resolves {}.
#[diagnostic::on_unimplemented(message = {message}, label = {label}, note = {note})]
pub trait {loader}: Send + Sync {{
    /// Returns the rows with these ids in any order, without those that do not exist. The ids are distinct.
    fn load(&self, cx: &traitql::Ctx, ids: &[traitql::Id]) -> impl Future<Output = Result<Vec<{row}>, traitql::Internal>> + Send;
}}
",
        resolved.join(", ")
    )
}

fn implementation(api: &Api<'_>, resolver: &Resolver<'_>, loader: &str, key: &str) -> String {
    let name = &resolver.name;
    let parameters = resolver.parameters(api, Style::Generated, "").join(", ");
    let output = resolver.output_type(api, Style::Generated);
    let (keys, row_id) = if key_type(api.config, resolver.object, key) == Some(Key::Optional) {
        ("keys_opt", "Some(row.id.clone())")
    } else {
        ("keys", "row.id.clone()")
    };
    format!(
        "impl<A: {loader}> resolve::{name} for A {{
    async fn resolve<'b>(&self, {parameters}) -> Result<{output}, traitql::Throws<field::{name}>> {{
        let ids = parents.{keys}(|parent| parent.{key}.clone());
        let rows = {loader}::load(self, cx, &ids).await?;
        Ok(parents.join(rows, |row| {row_id}, |parent| parent.{key}.clone()))
    }}
}}
"
    )
}
