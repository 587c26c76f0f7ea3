//! Document rules that do not depend on the schema. apollo-compiler checks them while it follows fields and types, so
//! it misses everything below an unknown field and in unused fragments.

use std::collections::{BTreeMap, HashSet};

use apollo_compiler::ast::{
    Argument, Definition, DirectiveList, Document, FragmentDefinition, OperationDefinition, Selection, Value,
};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::{Name, Node};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::diagnostics::suggest::{did_you_mean_or, nearest};
use crate::parse::source::Location;

pub(crate) fn check(documents: &[Document], out: &mut Collector) {
    let definitions = || documents.iter().flat_map(|document| &document.definitions);
    let mut fragments = Fragments::new();
    for fragment in definitions().filter_map(Definition::as_fragment_definition) {
        let name = fragment.name.as_str();
        match fragments.get(name) {
            Some(first) => {
                out.report(
                    code::DUPLICATE_FRAGMENT,
                    fragment.name.location(),
                    format!("fragment `{name}` is defined more than once"),
                )
                .note(first.name.location(), "first defined here")
                .help("rename one of them: fragments of all files share one namespace");
            }
            None => {
                fragments.insert(name, fragment);
            }
        }
    }
    report_cycles(&fragments, out);
    for definition in definitions() {
        spread(definition, &fragments, out);
    }
    let mut used = HashSet::new();
    for operation in definitions().filter_map(Definition::as_operation_definition) {
        used.extend(variables(operation, &fragments, out));
    }
    for (name, fragment) in fragments.iter().filter(|(name, _)| !used.contains(*name)) {
        out.report(
            code::UNUSED_FRAGMENT,
            fragment.name.location(),
            format!("fragment `{name}` is never used"),
        )
        .help(format!("spread it with `...{name}`, or remove it"));
    }
}

fn spread(definition: &Definition, fragments: &Fragments<'_>, out: &mut Collector) {
    let selections = match definition {
        Definition::OperationDefinition(operation) => &operation.selection_set,
        Definition::FragmentDefinition(fragment) => &fragment.selection_set,
        _ => return,
    };
    for name in spreads(selections)
        .into_iter()
        .filter(|name| !fragments.contains_key(name.as_str()))
    {
        out.report(
            code::UNKNOWN_FRAGMENT,
            name.location(),
            format!("unknown fragment `{name}`"),
        )
        .help(did_you_mean_or(
            name,
            fragments.keys().copied(),
            &format!("define it in any operation file: `fragment {name} on … {{ … }}`"),
        ));
    }
}

type Fragments<'a> = BTreeMap<&'a str, &'a Node<FragmentDefinition>>;

fn report_cycles(fragments: &Fragments<'_>, out: &mut Collector) {
    let mut seen = HashSet::new();
    for name in fragments.keys() {
        let mut path: Vec<(&str, Vec<&Name>)> = Vec::new();
        let mut next = Some(*name);
        loop {
            match next.take() {
                Some(name) if path.iter().any(|(on_path, _)| *on_path == name) => {
                    out.report(
                        code::FRAGMENT_CYCLE,
                        fragments[name].name.location(),
                        format!("fragment `{name}` contains itself"),
                    )
                    .help("select the fields you need down to a fixed depth instead");
                }
                Some(name) if seen.insert(name) => {
                    let spreads = fragments.get(name).map(|fragment| spreads(&fragment.selection_set));
                    path.push((name, spreads.unwrap_or_default()));
                }
                Some(_) | None => {}
            }
            match path.last_mut() {
                None => break,
                Some((_, spreads)) => match spreads.pop() {
                    Some(spread) => next = Some(spread.as_str()),
                    None => {
                        path.pop();
                    }
                },
            }
        }
    }
}

fn spreads(selections: &[Selection]) -> Vec<&Name> {
    let mut found = Vec::new();
    let mut pending: Vec<&Selection> = selections.iter().collect();
    while let Some(selection) = pending.pop() {
        match selection {
            Selection::Field(field) => pending.extend(field.selection_set.iter().flat_map(|set| set.iter())),
            Selection::InlineFragment(inline) => pending.extend(&inline.selection_set),
            Selection::FragmentSpread(spread) => found.push(&spread.fragment_name),
        }
    }
    found
}

fn variables<'a>(
    operation: &'a Node<OperationDefinition>,
    fragments: &Fragments<'a>,
    out: &mut Collector,
) -> HashSet<&'a str> {
    let mut usage = Usage::default();
    usage.directives(&operation.directives);
    usage.selections(&operation.selection_set);
    while let Some(name) = usage.pending.pop() {
        match fragments.get(name) {
            Some(fragment) => {
                usage.directives(&fragment.directives);
                usage.selections(&fragment.selection_set);
            }
            None => usage.is_complete = false,
        }
    }
    let declared: Vec<&str> = operation
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    for (name, places) in &usage.variables {
        if declared.contains(name) {
            continue;
        }
        for at in places {
            out.report(
                code::UNKNOWN_VARIABLE,
                Location::from(*at).narrowed(out.sources(), &format!("${name}")),
                format!("undeclared variable `${name}`"),
            )
            .help(match nearest(name, declared.iter().copied()) {
                Some(near) => format!("did you mean `${near}`?"),
                None => format!("declare it after the name of the operation: `(${name}: …)`"),
            });
        }
    }
    let unused = operation
        .variables
        .iter()
        .filter(|variable| !usage.variables.contains_key(variable.name.as_str()));
    // An unknown fragment might use the variable.
    for variable in unused.filter(|_| usage.is_complete) {
        out.report(
            code::UNUSED_VARIABLE,
            Location::from(variable.location()).narrowed(out.sources(), &format!("${}", variable.name)),
            format!("variable `${}` is never used", variable.name),
        )
        .help("use it or remove it");
    }
    usage.seen
}

struct Usage<'a> {
    variables: BTreeMap<&'a str, Vec<Option<SourceSpan>>>,
    /// Spread but not yet visited.
    pending: Vec<&'a str>,
    seen: HashSet<&'a str>,
    /// True if all fragments exist.
    is_complete: bool,
}

impl Default for Usage<'_> {
    fn default() -> Self {
        Self {
            variables: BTreeMap::new(),
            pending: Vec::new(),
            seen: HashSet::new(),
            is_complete: true,
        }
    }
}

impl<'a> Usage<'a> {
    fn selections(&mut self, selections: &'a [Selection]) {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    self.arguments(&field.arguments);
                    self.directives(&field.directives);
                    self.selections(field.selection_set.as_deref().unwrap_or_default());
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&inline.directives);
                    self.selections(&inline.selection_set);
                }
                Selection::FragmentSpread(spread) => {
                    self.directives(&spread.directives);
                    if self.seen.insert(spread.fragment_name.as_str()) {
                        self.pending.push(&spread.fragment_name);
                    }
                }
            }
        }
    }

    fn directives(&mut self, directives: &'a DirectiveList) {
        directives
            .iter()
            .for_each(|directive| self.arguments(&directive.arguments));
    }

    fn arguments(&mut self, arguments: &'a [Node<Argument>]) {
        arguments.iter().for_each(|argument| self.value(&argument.value));
    }

    fn value(&mut self, value: &'a Node<Value>) {
        match &**value {
            Value::Variable(name) => self.variables.entry(name).or_default().push(value.location()),
            Value::List(entries) => entries.iter().for_each(|entry| self.value(entry)),
            Value::Object(fields) => fields.iter().for_each(|(_, field)| self.value(field)),
            _ => {}
        }
    }
}
