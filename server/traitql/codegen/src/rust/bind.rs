//! Traits for bound types: `bind::Tour` for the Rust type that codegen.yml binds to `type Tour`. Generated code
//! accesses a bound type only through its trait, so that every mismatch is a compile error in the user's `impl`.

use std::collections::BTreeSet;

use traitql_schema::model::{Enum, Field, FieldKind, Object, Type};

use super::api::{Api, Style};
use crate::{
    GeneratedFile,
    names::{ident, pascal, screaming, snake, variant},
    render,
};

pub(crate) fn file(api: &Api<'_>) -> Option<GeneratedFile> {
    let modules = api.types_by_module();
    let mut bound: Vec<&Type> = modules
        .values()
        .flat_map(|(_, types)| types.iter().copied())
        .filter(|ty| api.bound_type(ty.name()).is_some())
        .collect();
    // Branches that bind different types change different lines.
    bound.sort_by_key(|ty| ty.name());
    let scalars = scalars(api);
    if bound.is_empty() && scalars.is_empty() {
        return None;
    }
    let mut file = api.whole(
        "bind.rs",
        "The traits that bound types implement. `codegen.yml` binds them to types of the schema.",
    );
    let held = held(api);
    let mut text = String::new();
    let mut values = String::new();
    let mut checks = String::new();
    let mut check_items = String::new();
    for ty in bound {
        match ty {
            Type::Enum(ty) => {
                text += &enumeration(api, ty);
                values += &value(ty);
                checks += &check(ty);
                check_items += &check_item(ty);
            }
            Type::Object(ty) => text += &object(api, ty, held.contains(ty.name.as_str())),
            _ => {}
        }
    }
    if text.contains("types::") {
        file.item("use super::types;");
    }
    file.item(scalars);
    file.item(text);
    if !values.is_empty() {
        file.item(format!(
            "/// The values of the enums with bound types.
            pub mod value {{
                use super::super::types;
                {values}
                /// Checks that the two conversions of each bound enum agree.
                pub(crate) fn check() {{ {checks} }}
                {check_items}
            }}"
        ));
    }
    Some(file.finish())
}

/// rustc reports a missing trait at the assertion, before it reports it for each field.
fn scalars(api: &Api<'_>) -> String {
    let known = |path: &str| path.starts_with("traitql::") || matches!(path, "String" | "bool" | "i32" | "f64");
    let mut scalars: Vec<_> = api.config.scalars.iter().filter(|(_, path)| !known(path)).collect();
    scalars.sort();
    scalars
        .iter()
        .map(|(name, path)| {
            format!("/// Represents `scalar {name}`.\nconst _: () = traitql::__private::is_scalar::<{path}>();\n")
        })
        .collect()
}

pub(crate) fn has_enums(api: &Api<'_>) -> bool {
    let modules = api.types_by_module();
    let mut types = modules.values().flat_map(|(_, types)| types);
    types.any(|ty| matches!(ty, Type::Enum(_)) && api.bound_type(ty.name()).is_some())
}

/// Generated types contain these as data fields or as members of an interface or union.
fn held<'a>(api: &Api<'a>) -> BTreeSet<&'a str> {
    let mut held = BTreeSet::new();
    for ty in api.model.types.values() {
        match ty {
            Type::Object(ty) => {
                let data = ty.fields.iter().filter(|field| field.kind == FieldKind::Data);
                held.extend(data.map(|field| field.ty.name()));
            }
            Type::Interface(ty) => held.extend(ty.members.iter().map(String::as_str)),
            Type::Union(ty) => held.extend(ty.members.iter().map(String::as_str)),
            Type::Scalar(_) | Type::Enum(_) | Type::Input(_) => {}
        }
    }
    held
}

fn enumeration(api: &Api<'_>, ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    let doc = render::doc(ty.description.as_deref(), &format!("Represents `enum {}`.", ty.name));
    let constants: String = ty
        .values
        .iter()
        .map(|value| {
            let doc = render::doc(value.description.as_deref(), &format!("`{}`", value.name));
            format!("{doc}const {}: Self;\n", screaming(&value.rust))
        })
        .collect();
    let of: String = ty
        .values
        .iter()
        .map(|value| {
            format!(
                "value::{name}::{} => Self::{},",
                variant(&value.rust),
                screaming(&value.rust)
            )
        })
        .collect();
    format!(
        "{doc}{hint}
        pub trait {name}: ::std::marker::Copy + ::std::cmp::PartialEq + ::std::fmt::Debug + ::std::marker::Send + ::std::marker::Sync + 'static {{
            {constants}
            /// Returns the corresponding value of the schema, usually with a `match` over all variants.
            fn value(self) -> value::{name};
            /// Returns the bound value for a value of the schema.
            fn of(value: value::{name}) -> Self {{ match value {{ {of} }} }}
        }}\n",
        hint = hint(api, &ty.name, "enums", "enum", &paste_enum(ty)),
    )
}

fn value(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    let list = |arm: &dyn Fn(&str, &str) -> String| -> String {
        let values = ty.values.iter();
        values
            .map(|value| arm(&variant(&value.rust), &render::literal(&value.name)))
            .collect()
    };
    let variants: String = ty
        .values
        .iter()
        .map(|value| {
            let doc = render::doc(value.description.as_deref(), &format!("`{}`", value.name));
            format!("{doc}{},\n", variant(&value.rust))
        })
        .collect();
    format!(
        "/// Values of `enum {}`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum {name} {{ {variants} }}
        impl {name} {{
            /// All values, in schema order.
            pub const ALL: &'static [Self] = &[{all}];
            /// Returns the name in the schema.
            pub const fn as_graphql(self) -> &'static str {{ match self {{ {to} }} }}
        }}\n",
        ty.name,
        all = list(&|variant, _| format!("Self::{variant},")),
        to = list(&|variant, name| format!("Self::{variant} => {name},")),
    )
}

/// rustc cannot check that `value` and the constants of an `impl` agree, so the engine does it once, when it is
/// created.
fn check(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    format!("check_{}::<types::{name}>();\n", snake(&ty.rust))
}

fn check_item(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    let trait_name = render::literal(&format!("bind::{name}"));
    format!(
        "fn check_{}<T: super::{name}>() {{
            for value in {name}::ALL {{
                traitql::__private::is_value({trait_name}, value.as_graphql(), T::of(*value).value().as_graphql());
            }}
        }}\n",
        snake(&ty.rust)
    )
}

fn object(api: &Api<'_>, ty: &Object, held: bool) -> String {
    let name = pascal(&ty.rust);
    let doc = render::doc(ty.description.as_deref(), &format!("Represents `type {}`.", ty.name));
    let methods: String = data(ty)
        .map(|field| {
            let doc = render::doc(field.description.as_deref(), &format!("`{}`", field.sdl));
            format!(
                "{doc}fn {}(&self) -> {};\n",
                ident(&snake(&field.rust)),
                api.output(&field.ty, Style::Generated)
            )
        })
        .collect();
    // Of generated types that contain the bound type.
    let also = if held {
        "::std::clone::Clone + ::std::cmp::PartialEq + ::std::fmt::Debug + "
    } else {
        ""
    };
    format!(
        "{doc}{hint}
        pub trait {name}: {also}::std::marker::Send + ::std::marker::Sync + 'static {{ {methods} }}\n",
        hint = hint(api, &ty.name, "objects", "type", &paste_object(api, ty)),
    )
}

fn data(ty: &Object) -> impl Iterator<Item = &Field> {
    ty.fields.iter().filter(|field| field.kind == FieldKind::Data)
}

fn hint(api: &Api<'_>, name: &str, section: &str, kind: &str, paste: &str) -> String {
    let rust = api.rust(name);
    let path = api.bound_type(name).unwrap_or_default();
    format!(
        "#[diagnostic::on_unimplemented(message = {message}, label = {label}, note = {note})]",
        message = render::literal(&format!(
            "`{path}` is bound to `{kind} {name}` but does not implement its trait"
        )),
        label = render::literal(&format!("`{{Self}}` needs `impl bind::{rust}`")),
        note = render::raw(&format!(
            "it is bound by `traitql.{section}.{name}` in codegen.yml\nwrite this next to the type:\n\n{}\n",
            render::braces(paste)
        )),
    )
}

fn paste_enum(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    let constants: String = ty
        .values
        .iter()
        .map(|value| {
            format!(
                "    const {}: Self = Self::{};\n",
                screaming(&value.rust),
                variant(&value.rust)
            )
        })
        .collect();
    let arms: String = ty
        .values
        .iter()
        .map(|value| {
            let variant = variant(&value.rust);
            format!("            Self::{variant} => bind::value::{name}::{variant},\n")
        })
        .collect();
    format!(
        "impl bind::{name} for \u{1} {{\n{constants}\n    fn value(self) -> bind::value::{name} {{\n        match self {{\n{arms}        }}\n    }}\n}}"
    )
}

fn paste_object(api: &Api<'_>, ty: &Object) -> String {
    let methods: Vec<String> = data(ty)
        .map(|field| {
            let name = ident(&snake(&field.rust));
            let ty = api.output(&field.ty, Style::Shown);
            let clone = if is_copy(api, field) { "" } else { ".clone()" };
            format!("    fn {name}(&self) -> {ty} {{\n        self.{name}{clone}\n    }}\n")
        })
        .collect();
    format!("impl bind::{} for \u{1} {{\n{}}}", pascal(&ty.rust), methods.join("\n"))
}

fn is_copy(api: &Api<'_>, field: &Field) -> bool {
    let name = field.ty.name();
    let number = matches!(name, "Int" | "Float" | "Boolean") && !api.config.scalars.contains_key(name);
    !field.ty.is_list() && (number || matches!(api.model.types.get(name), Some(Type::Enum(_))))
}
