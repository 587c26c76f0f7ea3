//! Operations and releases. A server with trusted documents rejects a removed text, unless a release contains it.

use super::kind::Kind;
use super::{ChangeSign, Comparison, Fact};
use crate::model::{Model, Operation};

impl Comparison<'_> {
    pub(super) fn operations(&mut self) {
        let (old, new) = (self.old, self.new);
        for operation in &new.operations {
            let name = format!("operation {}", operation.name);
            match old.operations.iter().find(|earlier| earlier.name == operation.name) {
                None => {
                    let subject = format!("{name} (cost {})", operation.cost);
                    let facts = vec![Fact::without_text(Kind::OperationAdded)];
                    self.push(ChangeSign::Added, &name, &subject, facts, &operation.origin);
                }
                Some(earlier) => {
                    let mut facts = Vec::new();
                    if earlier.body != operation.body {
                        facts.push(match releases_with(new, earlier).as_str() {
                            "" => Kind::OperationChanged.with_text("document changed"),
                            releases => Kind::OperationChangedReleased
                                .with_text(format!("document changed; the previous text is served for {releases}")),
                        });
                    }
                    if earlier.cost != operation.cost {
                        let text = format!("cost {}, was {}", operation.cost, earlier.cost);
                        facts.push(Kind::OperationCostChanged.with_text(text));
                    }
                    self.push(ChangeSign::Changed, &name, &name, facts, &operation.origin);
                }
            }
        }
        for operation in &old.operations {
            if !new.operations.iter().any(|later| later.name == operation.name) {
                let name = format!("operation {}", operation.name);
                let fact = match releases_with(new, operation).as_str() {
                    "" => Fact::without_text(Kind::OperationRemoved),
                    releases => Kind::OperationRemovedReleased.with_text(format!("still served for {releases}")),
                };
                self.push(ChangeSign::Removed, &name, &name, vec![fact], &operation.origin);
            }
        }
    }

    pub(super) fn releases(&mut self) {
        let (old, new) = (self.old, self.new);
        let texts = |operations: &[Operation]| {
            let mut texts: Vec<String> = operations.iter().map(|operation| operation.body.clone()).collect();
            texts.sort();
            texts
        };
        for release in &new.releases {
            let name = format!("release {}", release.name);
            let count = match release.operations.len() {
                1 => "1 document".to_owned(),
                several => format!("{several} documents"),
            };
            match old.releases.iter().find(|earlier| earlier.name == release.name) {
                None => {
                    let facts = vec![Kind::ReleaseAdded.with_text(count)];
                    self.push_without_origin(ChangeSign::Added, &name, facts);
                }
                Some(earlier) if release.unfrozen && !earlier.unfrozen => {
                    let facts = vec![Kind::ReleaseUnfrozen.with_text("its documents are no longer served")];
                    self.push_without_origin(ChangeSign::Changed, &name, facts);
                }
                Some(earlier) if texts(&earlier.operations) != texts(&release.operations) => {
                    let facts = vec![Kind::ReleaseChanged.with_text("its documents changed")];
                    self.push_without_origin(ChangeSign::Changed, &name, facts);
                }
                Some(_) => {}
            }
        }
        for release in &old.releases {
            if !new.releases.iter().any(|later| later.name == release.name) {
                let facts = vec![Kind::ReleaseRemoved.with_text("its documents are no longer served")];
                self.push_without_origin(ChangeSign::Removed, &format!("release {}", release.name), facts);
            }
        }
    }
}

fn releases_with(model: &Model, operation: &Operation) -> String {
    let containing = model.releases.iter().filter(|release| {
        let mut documents = release.operations.iter();
        documents.any(|document| document.body == operation.body)
    });
    containing
        .map(|release| release.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}
