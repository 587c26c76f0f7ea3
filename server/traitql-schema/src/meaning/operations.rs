//! Operations and releases. A server with trusted documents answers the texts that it knows, so a text that goes is a
//! request that is refused, unless a release keeps it.

use super::kind::Kind;
use super::{Comparison, Fact, Sign};
use crate::model::{Model, Operation};

impl Comparison<'_> {
    pub(super) fn operations(&mut self) {
        let (old, new) = (self.old, self.new);
        for operation in &new.operations {
            let name = format!("operation {}", operation.name);
            match old.operations.iter().find(|earlier| earlier.name == operation.name) {
                None => {
                    let subject = format!("{name} (cost {})", operation.cost);
                    let facts = vec![Fact::bare(Kind::OperationAdded)];
                    self.push(Sign::Added, &name, &subject, facts, &operation.origin);
                }
                Some(earlier) => {
                    let mut facts = Vec::new();
                    if earlier.body != operation.body {
                        facts.push(match keepers(new, earlier).as_str() {
                            "" => Kind::OperationChanged.says("asks differently"),
                            releases => Kind::OperationChangedReleased
                                .says(format!("asks differently; the former text is kept for {releases}")),
                        });
                    }
                    if earlier.cost != operation.cost {
                        let text = format!("cost {}, before {}", operation.cost, earlier.cost);
                        facts.push(Kind::OperationCostChanged.says(text));
                    }
                    self.push(Sign::Changed, &name, &name, facts, &operation.origin);
                }
            }
        }
        for operation in &old.operations {
            if !new.operations.iter().any(|later| later.name == operation.name) {
                let name = format!("operation {}", operation.name);
                let fact = match keepers(new, operation).as_str() {
                    "" => Fact::bare(Kind::OperationRemoved),
                    releases => Kind::OperationRemovedReleased.says(format!("is kept for {releases}")),
                };
                self.push(Sign::Removed, &name, &name, vec![fact], &operation.origin);
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
                    let facts = vec![Kind::ReleaseAdded.says(count)];
                    self.push_nowhere(Sign::Added, &name, facts);
                }
                Some(earlier) if release.retired && !earlier.retired => {
                    let facts = vec![Kind::ReleaseRetired.says("its documents are not kept any more")];
                    self.push_nowhere(Sign::Changed, &name, facts);
                }
                Some(earlier) if texts(&earlier.operations) != texts(&release.operations) => {
                    let facts = vec![Kind::ReleaseChanged.says("holds other documents than it did")];
                    self.push_nowhere(Sign::Changed, &name, facts);
                }
                Some(_) => {}
            }
        }
        for release in &old.releases {
            if !new.releases.iter().any(|later| later.name == release.name) {
                let facts = vec![Kind::ReleaseRemoved.says("its documents are not kept any more")];
                self.push_nowhere(Sign::Removed, &format!("release {}", release.name), facts);
            }
        }
    }
}

/// Names of the releases that keep a document.
fn keepers(model: &Model, operation: &Operation) -> String {
    let keep = model.releases.iter().filter(|release| {
        let mut kept = release.operations.iter();
        kept.any(|kept| kept.body == operation.body)
    });
    keep.map(|release| release.name.as_str()).collect::<Vec<_>>().join(", ")
}
