//! rustc would report a wrong path only in a generated file.
//!
//! Paths into the runtime are compared with its types, paths with `crate` are resolved in the sources, without
//! expanding macros. Only a path that no definition, import or macro can provide is reported.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{GenericArgument, Item, PathArguments, Type};

use super::names::did_you_mean;
use crate::config::Settings;
use crate::resolvers::Imports;

/// These types implement `traitql::Scalar`.
const SCALARS: [&str; 5] = ["Date", "DateTime", "Id", "Json", "Url"];

/// `is_scalar` is true for the types of `traitql.scalars`.
pub(super) fn check(text: &str, is_scalar: bool, settings: &Settings) -> Result<(), String> {
    let Ok(ty) = syn::parse_str::<Type>(text) else {
        return Ok(());
    };
    let mut paths = Vec::new();
    collect(&ty, &mut paths);
    paths.iter().try_for_each(|path| match path.as_slice() {
        [root, name] if root == "traitql" => in_runtime(name, is_scalar),
        [root, modules @ .., name] if root == "crate" => in_crate(modules, name, settings),
        _ => Ok(()),
    })
}

fn collect(ty: &Type, paths: &mut Vec<Vec<String>>) {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            paths.push(
                path.path
                    .segments
                    .iter()
                    .map(|segment| segment.ident.to_string())
                    .collect(),
            );
            for segment in &path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                    continue;
                };
                for argument in &arguments.args {
                    if let GenericArgument::Type(ty) = argument {
                        collect(ty, paths);
                    }
                }
            }
        }
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| collect(ty, paths)),
        Type::Array(array) => collect(&array.elem, paths),
        Type::Slice(slice) => collect(&slice.elem, paths),
        Type::Reference(reference) => collect(&reference.elem, paths),
        Type::Paren(paren) => collect(&paren.elem, paths),
        _ => {}
    }
}

fn in_runtime(name: &str, is_scalar: bool) -> Result<(), String> {
    if SCALARS.contains(&name) {
        return Ok(());
    }
    let near = did_you_mean(name, SCALARS);
    if is_scalar {
        return Err(format!(
            "`traitql` has no scalar type `{name}`; its scalar types are {}{near}",
            SCALARS.map(|name| format!("`{name}`")).join(", ")
        ));
    }
    // Other types of the runtime are rarely useful.
    if near.is_empty() {
        return Ok(());
    }
    Err(format!("`traitql` has no type `{name}`{near}"))
}

fn in_crate(modules: &[String], name: &str, settings: &Settings) -> Result<(), String> {
    let crate_dir = Path::new(&settings.codegen.crate_dir);
    let parse = |path: &Path| parse(&settings.root.join(crate_dir).join(path));
    let mut folder = PathBuf::from("src");
    let mut file = folder.join("lib.rs");
    let Some(mut items) = parse(&file) else {
        return Ok(());
    };
    for module in modules {
        let found = items.iter().find_map(|item| match item {
            Item::Mod(item) if item.ident == module.as_str() => Some(item.clone()),
            _ => None,
        });
        let Some(found) = found else {
            return missing("module", module, &items, &crate_dir.join(file));
        };
        folder.push(module);
        items = match found.content {
            Some((_, items)) => items,
            None if found.attrs.iter().any(|attribute| attribute.path().is_ident("path")) => return Ok(()),
            None => {
                let candidates = [folder.with_extension("rs"), folder.join("mod.rs")];
                let read = |path: PathBuf| Some((parse(&path)?, path));
                let Some((items, path)) = candidates.into_iter().find_map(read) else {
                    return Ok(());
                };
                file = path;
                items
            }
        };
        if folder == Path::new(&settings.codegen.generated) {
            return Ok(());
        }
    }
    if types(&items).any(|ty| ty == name) {
        Ok(())
    } else {
        missing("type", name, &items, &crate_dir.join(file))
    }
}

/// rustc reports files that do not exist or do not parse.
fn parse(path: &Path) -> Option<Vec<Item>> {
    Some(syn::parse_file(&fs::read_to_string(path).ok()?).ok()?.items)
}

fn missing(what: &str, name: &str, items: &[Item], file: &Path) -> Result<(), String> {
    let imports = Imports::of(items);
    let is_imported = imports.names.contains_key(name) || !imports.globs.is_empty();
    if is_imported || items.iter().any(|item| matches!(item, Item::Macro(_))) {
        return Ok(());
    }
    let modules = items.iter().filter_map(|item| match item {
        Item::Mod(item) => Some(item.ident.to_string()),
        _ => None,
    });
    let others: Vec<String> = match what {
        "module" => modules.collect(),
        _ => types(items).collect(),
    };
    let near = did_you_mean(name, others.iter().map(String::as_str));
    let file = file.to_string_lossy().replace('\\', "/");
    Err(format!("{file} has no {what} `{name}`{near}"))
}

fn types(items: &[Item]) -> impl Iterator<Item = String> {
    items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Union(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    })
}
