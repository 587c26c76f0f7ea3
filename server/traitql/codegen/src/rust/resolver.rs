use super::api::{Api, Guard, Output, Resolver, Style};

impl Resolver<'_> {
    /// Returns the parent type; `None` for root fields.
    pub(crate) fn parent(&self, api: &Api<'_>, style: Style) -> Option<String> {
        self.root.is_none().then(|| api.named(&self.object.name, style))
    }

    /// Results per parent have the batch's lifetime `'b`.
    pub(crate) fn output_type(&self, api: &Api<'_>, style: Style) -> String {
        let runtime = if style == Style::Shown { "" } else { "traitql::" };
        let field = format!("field::{}", self.name);
        match &self.output {
            Output::Value(ty) => api.output(ty, style),
            Output::Events(ty) => format!("{runtime}Events<{}, {field}>", api.output(ty, style)),
            Output::One(ty) => format!("{runtime}One<'b, {}>", api.output(ty, style)),
            Output::Many(ty) => format!("{runtime}Many<'b, {}>", api.output(ty, style)),
        }
    }

    /// Gives every reference `lifetime`: `""` or `"'a "`.
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

    pub(crate) fn forwarded(&self) -> String {
        let mut out = vec!["cx".to_owned()];
        out.extend((self.guard != Guard::None).then(|| "viewer".to_owned()));
        out.extend(self.root.is_none().then(|| "parents".to_owned()));
        out.extend(self.args.iter().map(|arg| arg.name.clone()));
        out.join(", ")
    }

    /// Returns `<'b>` if the resolver takes a batch.
    pub(crate) fn generics(&self) -> &'static str {
        if self.root.is_none() { "<'b>" } else { "" }
    }

    /// Clippy's limit is seven (`too_many_arguments`).
    pub(crate) fn has_many_parameters(&self) -> bool {
        1 + self.forwarded().split(", ").count() > 7
    }
}
