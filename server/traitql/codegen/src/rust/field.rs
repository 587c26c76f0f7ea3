use super::{
    api::{Api, Resolver},
    modules::{by_object, region},
};
use crate::{
    GeneratedFile,
    names::variant,
    render::{self, RustFile},
};

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let modules = api.resolvers_by_module();
    let doc = "A marker for each field with a resolver: `Throws<field::TourDraft>` is the error of `Tour.draft`.";
    let mut files = vec![api.exported_list("field", doc, modules.keys()).finish()];
    for (module, (source, resolvers)) in modules {
        let doc = format!("Markers of the fields in `{source}`.");
        let mut file = RustFile::new(api.path(&format!("field/{module}.rs")), &source, &doc);
        if resolvers.iter().any(|resolver| !resolver.field.throws.is_empty()) {
            file.item(format!("use {}::errors;", api.config.module()));
        }
        for (object, resolvers) in by_object(&resolvers) {
            let (begin, end) = region(object);
            file.verbatim(begin);
            resolvers.iter().for_each(|resolver| marker(api, resolver, &mut file));
            file.verbatim(end);
        }
        files.push(file.finish());
    }
    files
}

fn marker(api: &Api<'_>, resolver: &Resolver<'_>, file: &mut RustFile) {
    let name = &resolver.name;
    let doc = render::lines(&format!("`{}: {}`", resolver.coordinate, resolver.field.ty));
    file.item(format!("{doc}#[derive(Debug)]\npub enum {name} {{}}"));
    for code in &resolver.field.throws {
        let of = api.model.error_enum.as_deref().unwrap_or_default();
        let code = variant(api.model.rust_value(of, code));
        file.item(format!("impl traitql::Declares<errors::{code}> for {name} {{}}"));
    }
}
