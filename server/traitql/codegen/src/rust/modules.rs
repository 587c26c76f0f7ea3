use std::collections::{BTreeMap, BTreeSet};

use traitql_schema::model::{Field, Model, Type};

use super::api::{Api, Resolver};
use crate::{names::ident, render::RustFile};

impl<'a> Api<'a> {
    pub(crate) fn whole(&self, name: &str, doc: &str) -> RustFile {
        RustFile::new(self.path(name), schema_files(&self.schema_dir), doc)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.config.folder())
    }

    /// Writes sorted modules, one per line, so that branches that add files can be merged.
    pub(crate) fn list<'m>(
        &self,
        folder: &str,
        doc: &str,
        modules: impl Iterator<Item = &'m String> + Clone,
    ) -> RustFile {
        let mut list = self.whole(&format!("{folder}/mod.rs"), doc);
        list.modules(modules);
        list
    }

    /// Returns [`Self::list`] with re-exports of the items of all modules.
    pub(crate) fn exported_list<'m>(
        &self,
        folder: &str,
        doc: &str,
        modules: impl Iterator<Item = &'m String> + Clone,
    ) -> RustFile {
        let mut list = self.list(folder, doc, modules.clone());
        // A schema file can have the name of a crate, such as `traitql.graphql`.
        let exports = modules.map(|module| format!("pub use self::{module}::*;"));
        list.item(exports.collect::<String>());
        list
    }

    pub(crate) fn module(&self, file: &str) -> String {
        let file = file
            .strip_prefix(&self.schema_dir)
            .unwrap_or(file)
            .trim_start_matches('/');
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name: String = stem
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '_'
                }
            })
            .collect();
        // Reserved, or the name of a re-exported type.
        if name == "mod" || self.model.types.contains_key(&name) {
            name + "_"
        } else {
            ident(&name).replace("r#", "") + if ident(&name).starts_with("r#") { "_" } else { "" }
        }
    }

    pub(crate) fn types_by_module(&self) -> BTreeMap<String, (String, Vec<&'a Type>)> {
        let mut modules: BTreeMap<String, (String, Vec<&'a Type>)> = BTreeMap::new();
        let used = self.used_enums();
        for ty in self.model.types.values() {
            if matches!(ty, Type::Enum(ty) if !used.contains(ty.name.as_str())) {
                continue;
            }
            let file = &origin(ty).file;
            modules
                .entry(self.module(file))
                .or_insert_with(|| (file.clone(), Vec::new()))
                .1
                .push(ty);
        }
        modules
    }

    /// Excludes enums of directive arguments only.
    fn used_enums(&self) -> BTreeSet<&'a str> {
        let of_field = |field: &'a Field| field.args.iter().map(|arg| arg.ty.name()).chain([field.ty.name()]);
        let mut used: BTreeSet<&'a str> = self
            .model
            .role_enum
            .iter()
            .chain(&self.model.error_enum)
            .map(String::as_str)
            .collect();
        for ty in self.model.types.values() {
            match ty {
                Type::Object(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
                Type::Interface(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
                Type::Input(ty) => used.extend(ty.fields.iter().map(|field| field.ty.name())),
                Type::Scalar(_) | Type::Enum(_) | Type::Union(_) => {}
            }
        }
        let transitions = self
            .resolvers
            .iter()
            .filter_map(|resolver| resolver.field.transition.as_ref());
        used.extend(transitions.map(|transition| transition.of.as_str()));
        used
    }

    pub(crate) fn resolvers_by_module(&self) -> BTreeMap<String, (String, Vec<&Resolver<'a>>)> {
        let mut modules: BTreeMap<String, (String, Vec<&Resolver<'a>>)> = BTreeMap::new();
        for resolver in &self.resolvers {
            let file = &resolver.field.origin.file;
            modules
                .entry(self.module(file))
                .or_insert_with(|| (file.clone(), Vec::new()))
                .1
                .push(resolver);
        }
        modules
    }
}

pub(crate) fn by_object<'r, 'a>(resolvers: &[&'r Resolver<'a>]) -> Vec<(&'a str, Vec<&'r Resolver<'a>>)> {
    let mut objects: Vec<(&'a str, Vec<&'r Resolver<'a>>)> = Vec::new();
    for resolver in resolvers {
        let name = resolver.object.name.as_str();
        match objects.iter_mut().find(|(object, _)| *object == name) {
            Some((_, fields)) => fields.push(resolver),
            None => objects.push((name, vec![resolver])),
        }
    }
    objects
}

/// Editors can fold the region. For git, it separates the types: one branch can append to one while another adds the
/// next.
pub(crate) fn region(object: &str) -> (String, String) {
    (format!("// region: {object}"), format!("// endregion: {object}"))
}

pub(crate) fn origin(ty: &Type) -> &traitql_schema::model::Origin {
    match ty {
        Type::Scalar(ty) => &ty.origin,
        Type::Enum(ty) => &ty.origin,
        Type::Input(ty) => &ty.origin,
        Type::Object(ty) => &ty.origin,
        Type::Interface(ty) => &ty.origin,
        Type::Union(ty) => &ty.origin,
    }
}

pub(crate) fn schema_files(dir: &str) -> String {
    format!("{dir}/**/*.graphql").trim_start_matches('/').to_owned()
}

pub(crate) fn schema_dir(model: &Model) -> String {
    let mut common: Option<Vec<&str>> = None;
    let fields = model.types.values().filter_map(|ty| match ty {
        Type::Object(object) => Some(&object.fields),
        _ => None,
    });
    let files = model
        .types
        .values()
        .map(|ty| &origin(ty).file)
        .chain(fields.flatten().map(|field| &field.origin.file));
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        let dirs = &parts[..parts.len() - 1];
        common = Some(match common {
            None => dirs.to_vec(),
            Some(common) => common
                .iter()
                .zip(dirs)
                .take_while(|(a, b)| a == b)
                .map(|(a, _)| *a)
                .collect(),
        });
    }
    common.unwrap_or_default().join("/")
}
