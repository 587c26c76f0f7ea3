//! How a resolver's signature is spelled.

use super::api::{Answer, Api, Guard, Resolver, Style};

impl Resolver<'_> {
    /// Parent type of a field below the root.
    pub(crate) fn parent(&self, api: &Api<'_>, style: Style) -> Option<String> {
        self.root.is_none().then(|| api.named(&self.object.name, style))
    }

    /// What the resolver answers when nothing fails, with `'b` where it is a column.
    pub(crate) fn answer(&self, api: &Api<'_>, style: Style) -> String {
        let runtime = if style == Style::Shown { "" } else { "traitql::" };
        let field = format!("field::{}", self.name);
        match &self.answer {
            Answer::Value(ty) => api.output(ty, style),
            Answer::Events(ty) => format!("{runtime}Events<{}, {field}>", api.output(ty, style)),
            Answer::One(ty) => format!("{runtime}One<'b, {}>", api.output(ty, style)),
            Answer::Many(ty) => format!("{runtime}Many<'b, {}>", api.output(ty, style)),
        }
    }

    /// The parameters after `&self`. `lifetime` stands in every reference: `""` or `"'a "`.
    pub(crate) fn parameters(&self, api: &Api<'_>, style: Style, lifetime: &str) -> Vec<String> {
        let runtime = if style == Style::Shown { "" } else { "traitql::" };
        let mut out = vec![format!("cx: &{lifetime}{runtime}Ctx")];
        match &self.guard {
            Guard::None => {}
            Guard::SignedIn => out.push(format!("viewer: &{lifetime}{runtime}Viewer<role::SignedIn>")),
            Guard::Role(marker) => out.push(format!("viewer: &{lifetime}{runtime}Viewer<role::{marker}>")),
        }
        if let Some(parent) = self.parent(api, style) {
            out.push(format!("parents: {runtime}Batch<'b, {parent}>"));
        }
        out.extend(
            self.args
                .iter()
                .map(|arg| format!("{}: {}", arg.name, api.input(arg.value, style))),
        );
        out
    }

    /// Names of the parameters after `&self`, as a call passes them on.
    pub(crate) fn forwarded(&self) -> String {
        let mut out = vec!["cx".to_owned()];
        out.extend((self.guard != Guard::None).then(|| "viewer".to_owned()));
        out.extend(self.root.is_none().then(|| "parents".to_owned()));
        out.extend(self.args.iter().map(|arg| arg.name.clone()));
        out.join(", ")
    }

    /// `<'b>` where the resolver takes a batch.
    pub(crate) fn generics(&self) -> &'static str {
        if self.root.is_none() { "<'b>" } else { "" }
    }

    /// Whether clippy's limit of seven parameters (`too_many_arguments`) is passed.
    pub(crate) fn has_many_parameters(&self) -> bool {
        1 + self.forwarded().split(", ").count() > 7
    }
}
