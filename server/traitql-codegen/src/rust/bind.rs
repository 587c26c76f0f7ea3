//! The traits between own types and the schema: `bind::Tour` for the type that codegen.yml names for `type Tour`.
//!
//! The own type is used in the place of a generated one, and everything generated sees it through its trait. So whatever does not
//! fit, a field or value that is missing, a wrong type, is a mistake in the `impl`, which a person writes beside the type.

use std::collections::BTreeSet;

use traitql_schema::model::{Enum, Field, FieldKind, Object, Type};

use super::api::{Api, Style};
use crate::{
    GeneratedFile,
    names::{ident, pascal, screaming, snake, variant},
    render,
};

/// `bind.rs`; nothing where every type is generated.
pub(crate) fn file(api: &Api<'_>) -> Option<GeneratedFile> {
    let modules = api.types_by_module();
    let mut own: Vec<&Type> = modules
        .values()
        .flat_map(|(_, types)| types.iter().copied())
        .filter(|ty| api.own(ty.name()).is_some())
        .collect();
    // By name, so that branches which bind different types meet in different lines.
    own.sort_by_key(|ty| ty.name());
    let scalars = scalars(api);
    if own.is_empty() && scalars.is_empty() {
        return None;
    }
    let mut file = api.whole(
        "bind.rs",
        "What own types have to say about themselves to stand for types of the schema. Codegen.yml names the types.",
    );
    let held = held(api);
    let mut text = String::new();
    let mut values = String::new();
    let mut checks = String::new();
    let mut check_items = String::new();
    for ty in own {
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
            "/// The values of enums that own types stand for.
            pub mod value {{
                use super::super::types;
                {values}
                /// Whether each value of an own type says of itself that it is that value.
                pub(crate) fn check() {{ {checks} }}
                {check_items}
            }}"
        ));
    }
    Some(file.finish())
}

/// One place where rustc says that the type of a scalar lacks its trait, before it says so at every field.
fn scalars(api: &Api<'_>) -> String {
    let known = |path: &str| path.starts_with("traitql::") || matches!(path, "String" | "bool" | "i32" | "f64");
    let mut scalars: Vec<_> = api.config.scalars.iter().filter(|(_, path)| !known(path)).collect();
    scalars.sort();
    scalars
        .iter()
        .map(|(name, path)| {
            format!("/// Stands for `scalar {name}`.\nconst _: () = traitql::__private::is_scalar::<{path}>();\n")
        })
        .collect()
}

/// Whether an own type stands for any enum.
pub(crate) fn has_enums(api: &Api<'_>) -> bool {
    let modules = api.types_by_module();
    let mut types = modules.values().flat_map(|(_, types)| types);
    types.any(|ty| matches!(ty, Type::Enum(_)) && api.own(ty.name()).is_some())
}

/// Object types that generated types hold: as data of a parent, or as a member of an interface or union.
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
    let doc = render::doc(ty.description.as_deref(), &format!("Stands for `enum {}`.", ty.name));
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
            /// Which value of the schema it is: a `match` over all variants.
            fn value(self) -> value::{name};
            /// What stands for a value of the schema.
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
        "/// The values of `enum {}`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum {name} {{ {variants} }}
        impl {name} {{
            /// All values, in the order of the schema.
            pub const ALL: &'static [Self] = &[{all}];
            /// The name in the schema.
            pub const fn as_graphql(self) -> &'static str {{ match self {{ {to} }} }}
        }}\n",
        ty.name,
        all = list(&|variant, _| format!("Self::{variant},")),
        to = list(&|variant, name| format!("Self::{variant} => {name},")),
    )
}

/// The two halves of an `impl` must agree, and only a person can make them: the engine looks once, when it is made.
fn check(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    format!("check_{}::<types::{name}>();\n", snake(&ty.rust))
}

fn check_item(ty: &Enum) -> String {
    let name = pascal(&ty.rust);
    let place = render::literal(&format!("bind::{name}"));
    format!(
        "fn check_{}<T: super::{name}>() {{
            for value in {name}::ALL {{
                traitql::__private::is_value({place}, value.as_graphql(), T::of(*value).value().as_graphql());
            }}
        }}\n",
        snake(&ty.rust)
    )
}

fn object(api: &Api<'_>, ty: &Object, held: bool) -> String {
    let name = pascal(&ty.rust);
    let doc = render::doc(ty.description.as_deref(), &format!("Stands for `type {}`.", ty.name));
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
    // What generated types that hold it derive, it has to have as well.
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

/// What rustc says where the trait is missing.
fn hint(api: &Api<'_>, name: &str, section: &str, kind: &str, paste: &str) -> String {
    let rust = api.rust(name);
    let path = api.own(name).unwrap_or_default();
    format!(
        "#[diagnostic::on_unimplemented(message = {message}, label = {label}, note = {note})]",
        message = render::literal(&format!("`{path}` stands for `{kind} {name}` and does not say how")),
        label = render::literal(&format!("`{{Self}}` needs `impl bind::{rust}`")),
        note = render::raw(&format!(
            "codegen.yml names it: `traitql.{section}.{name}`\nwrite this beside the type:\n\n{}\n",
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

/// Whether values of the field are copied rather than cloned.
fn is_copy(api: &Api<'_>, field: &Field) -> bool {
    let name = field.ty.name();
    let number = matches!(name, "Int" | "Float" | "Boolean") && !api.config.scalars.contains_key(name);
    !field.ty.is_list() && (number || matches!(api.model.types.get(name), Some(Type::Enum(_))))
}
