use super::*;

impl Fixture {
    pub(super) async fn call_on_tour(&self, operation: &str) -> Result<(), Failure> {
        let caller = &self.caller;
        let workspace_id = id(&self.workspace);
        let visitor = VisitorInput {
            anonymous_id: Id::new(self.unique("browser")),
        };
        match operation {
            "TourCreate" => {
                let input = TourCreateInput {
                    workspace_id,
                    title: "New".into(),
                    slug: self.unique("new"),
                };
                caller.run(TourCreate::build(NewTour { input })).await.map(drop)
            }
            "TourSave" => {
                let (id, _, expected_version) = self.tour().await;
                let steps = vec![StepInput {
                    key: "hello".into(),
                    title: "Hello".into(),
                }];
                let input = TourSaveInput {
                    id,
                    expected_version,
                    steps,
                };
                caller.run(TourSave::build(ChangedTour { input })).await.map(drop)
            }
            "TourRename" => {
                let variables = NewTitle {
                    id: self.tour().await.0,
                    expected_version: 1,
                    title: "Renamed".into(),
                };
                caller.run(TourRename::build(variables)).await.map(drop)
            }
            "TourArchive" => caller
                .run(TourArchive::build(ById {
                    id: self.tour().await.0,
                }))
                .await
                .map(drop),
            "TourReportOpen" => caller
                .run(TourReportOpen::build(ById {
                    id: self.tour().await.0,
                }))
                .await
                .map(drop),
            "TourChanged" => {
                self.subscribe(TourChanged::build(ById {
                    id: self.tour().await.0,
                }))
                .await
            }
            "TourRestore" => {
                let id = self.tour().await.0;
                run_operation(&self.owner, "TourArchive", json!({"id": id})).await;
                caller.run(TourRestore::build(ById { id })).await.map(drop)
            }
            "TourEditor" => {
                let variables = InWorkspaceBySlug {
                    workspace_id,
                    slug: self.tour().await.1,
                };
                caller.run(TourEditor::build(variables)).await.map(drop)
            }
            "TourReleases" => {
                let variables = TourReleasesVariables {
                    workspace_id,
                    slug: self.tour().await.1,
                };
                caller.run(TourReleases::build(variables)).await.map(drop)
            }
            "TourRelease" => {
                let (tour_id, _, expected_version) = self.tour().await;
                let input = TourReleaseInput {
                    tour_id,
                    expected_version,
                    site_ids: vec![self.site().await.0],
                    rollout_percent: None,
                    holdout_percent: None,
                    goal: None,
                    starts_at: None,
                    ends_at: None,
                    end_active_runs: None,
                    note: None,
                };
                caller
                    .run(TourRelease::build(TourReleaseVariables { input }))
                    .await
                    .map(drop)
            }
            "ReleaseEnd" => caller
                .run(ReleaseEnd::build(ById {
                    id: self.release(1).await,
                }))
                .await
                .map(drop),
            "ReleasePause" => caller
                .run(ReleasePause::build(ById {
                    id: self.release(1).await,
                }))
                .await
                .map(drop),
            "ReleaseResume" => {
                let id = self.release(1).await;
                run_operation(&self.owner, "ReleasePause", json!({"id": id})).await;
                caller.run(ReleaseResume::build(ById { id })).await.map(drop)
            }
            "ReleaseAdjust" => {
                let input = ReleaseAdjustInput {
                    id: self.release(1).await,
                    rollout_percent: Some(50),
                };
                caller.run(ReleaseAdjust::build(Adjustment { input })).await.map(drop)
            }
            "ReleaseImpact" => {
                let plan = ReleasePlanInput {
                    tour_id: self.tour().await.0,
                    site_ids: vec![self.site().await.0],
                };
                caller.run(ReleaseImpact::build(Planned { plan })).await.map(drop)
            }
            "TourDuplicate" => {
                let variables = Copy {
                    id: self.tour().await.0,
                    title: "Copy".into(),
                    slug: self.unique("copy"),
                };
                caller.run(TourDuplicate::build(variables)).await.map(drop)
            }
            "ReleaseRollback" => caller
                .run(ReleaseRollback::build(ById {
                    id: self.release(2).await,
                }))
                .await
                .map(drop),
            "Runs" => caller
                .run(Runs::build(OfTour {
                    tour_id: self.tour().await.0,
                }))
                .await
                .map(drop),
            "TourInsights" => {
                let range = DayRangeInput {
                    from: Date("2026-01-01".into()),
                    to: Date("2026-01-31".into()),
                };
                let variables = OfTourInRange {
                    tour_id: self.tour().await.0,
                    range,
                };
                caller.run(TourInsights::build(variables)).await.map(drop)
            }
            "TourLift" => {
                let tour_id = self.tour().await.0;
                caller.run(TourLift::build(OfTour { tour_id })).await.map(drop)
            }
            "TourVisitors" => {
                let range = DayRangeInput {
                    from: Date("2026-01-01".into()),
                    to: Date("2026-01-31".into()),
                };
                let variables = OfTourInRange {
                    tour_id: self.tour().await.0,
                    range,
                };
                caller.run(TourVisitors::build(variables)).await.map(drop)
            }
            "Visitors" => {
                let site_id = self.site().await.0;
                caller.run(Visitors::build(OfSite { site_id })).await.map(drop)
            }
            "VisitorTimeline" => {
                let id = self.visitor().await;
                caller.run(VisitorTimeline::build(ById { id })).await.map(drop)
            }
            "VisitorChanged" => {
                let id = self.visitor().await;
                self.subscribe(VisitorChanged::build(ById { id })).await
            }
            "VisitorTesterSet" => {
                let id = self.visitor().await;
                let variables = NewTester { id, tester: true };
                caller.run(VisitorTesterSet::build(variables)).await.map(drop)
            }
            "VisitorReset" => {
                let id = self.visitor().await;
                // Only test users can be reset.
                let test_user = NewTester {
                    id: id.clone(),
                    tester: true,
                };
                let _ = caller.run(VisitorTesterSet::build(test_user)).await;
                caller.run(VisitorReset::build(ById { id })).await.map(drop)
            }
            "Explain" => {
                let variables = Question {
                    visitor_id: self.visitor().await,
                    tour_id: self.tour().await.0,
                    url: Url(self.url.clone()),
                };
                caller.run(Explain::build(variables)).await.map(drop)
            }
            "VisitorCount" => {
                let variables = self.selected_visitors().await;
                caller.run(VisitorCount::build(variables)).await.map(drop)
            }
            "VisitorsErase" => {
                let variables = self.selected_visitors().await;
                caller.run(VisitorsErase::build(variables)).await.map(drop)
            }
            "VisitorExport" => {
                let id = self.visitor().await;
                caller.run(VisitorExport::build(ById { id })).await.map(drop)
            }
            "VisitorErase" => {
                let id = self.visitor().await;
                caller.run(VisitorErase::build(ById { id })).await.map(drop)
            }
            "Boot" => {
                let variables = Visit {
                    site_key: self.key().await,
                    visitor,
                    url: Url(self.url.clone()),
                };
                caller.from_page(&self.url).run(Boot::build(variables)).await.map(drop)
            }
            "EmbedBoot" => {
                let variables = Visit {
                    site_key: self.key().await,
                    visitor,
                    url: Url(self.url.clone()),
                };
                let boot = EmbedBoot::build(variables);
                caller.from_page(&self.url).run(boot).await.map(drop)
            }
            "Record" => {
                let event = EventInput {
                    run_id: Id::new(uuid::Uuid::now_v7().to_string()),
                    release_id: Id::new("none"),
                    seq: 0,
                    kind: EventKind::RunStarted,
                    at: DateTime("2026-01-01T00:00:00Z".into()),
                };
                let variables = Report {
                    site_key: self.key().await,
                    visitor,
                    events: vec![event],
                };
                caller
                    .from_page(&self.url)
                    .run(Record::build(variables))
                    .await
                    .map(drop)
            }
            "AttemptRecord" => {
                let attempt = AttemptInput {
                    release_id: Id::new("00000000-0000-7000-8000-000000000000"),
                    problem: AttemptProblem::ElementMissing,
                    at: DateTime("2026-01-01T00:00:00Z".into()),
                };
                let variables = Attempts {
                    site_key: self.key().await,
                    visitor,
                    attempts: vec![attempt],
                };
                caller
                    .from_page(&self.url)
                    .run(AttemptRecord::build(variables))
                    .await
                    .map(drop)
            }
            "GoalRecord" => {
                let goal = GoalInput {
                    event: "order_placed".into(),
                    at: DateTime("2026-01-01T00:00:00Z".into()),
                };
                let variables = Goals {
                    site_key: self.key().await,
                    visitor,
                    goals: vec![goal],
                };
                caller
                    .from_page(&self.url)
                    .run(GoalRecord::build(variables))
                    .await
                    .map(drop)
            }
            other => panic!(
                "`operations/` has a new document, `{other}`. Add its types to server/waypost/waypost/tests/it/documents and a call \
                 here, with variables for which it succeeds, so that the access matrix includes it."
            ),
        }
    }
}
