use std::{
    collections::HashMap,
    num::NonZeroU64,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use futures_util::{StreamExt, future::BoxFuture, stream};
use serde_json::{Map, Value};
use traitql::{
    Batch, Ctx, FieldError, Grant, Id, Level, Many, One, Page, RateLimit, Viewer,
    engine::{Call, Data, ErrorDefinition, EventColumns, GeneratedSchema, Resolution, Rows, rows_of},
};

#[derive(Debug, Clone)]
pub(crate) struct Tour {
    pub id: Id,
}

#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub id: Id,
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub title: String,
    pub tour: Id,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(Text),
    Video(Video),
}

#[derive(Debug, Clone)]
pub(crate) struct Text(pub String);

#[derive(Debug, Clone)]
pub(crate) struct Video(pub i32);

#[derive(Debug, Clone)]
pub(crate) enum Node {
    Tour(Tour),
    Person(Person),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Viewer,
    Admin,
}

pub(crate) enum Admin {}

impl Level for Admin {
    type Role = Role;
    const MIN_ROLE: Role = Role::Admin;
}

#[derive(Default)]
pub(crate) struct App {
    /// `Tour.owner×3`
    pub calls: Mutex<Vec<String>>,
    pub grants: AtomicUsize,
    pub waiting: AtomicBool,
    pub dropped: Arc<AtomicBool>,
    /// Ticks are the same for all subscribers. The first one has version 1.
    pub shares_ticks: AtomicBool,
    /// Role by account.
    pub roles: HashMap<&'static str, Role>,
}

fn tour(id: usize) -> Tour {
    Tour {
        id: format!("t{id}").into(),
    }
}

pub(crate) fn number(id: &Id) -> usize {
    id.as_str()[1..].parse().expect("ids are a letter and a number")
}

impl App {
    fn record_call(&self, coordinate: &str, parents: usize) {
        self.calls.lock().unwrap().push(format!("{coordinate}×{parents}"));
    }

    async fn owner<'b, P>(
        &self,
        coordinate: &str,
        parents: Batch<'b, P>,
        id: impl Fn(&P) -> &Id + Copy,
    ) -> Result<One<'b, Person>, FieldError> {
        self.record_call(coordinate, parents.len());
        tokio::task::yield_now().await;
        let owner = move |p: &P| Id::from(format!("p{}", number(id(p)) % 2));
        let rows = parents.keys(owner).into_iter().map(|id| Person { id }).collect();
        Ok(parents.join(rows, |p| p.id.clone(), owner))
    }

    async fn related<'b, P>(
        &self,
        coordinate: &str,
        parents: Batch<'b, P>,
        id: impl Fn(&P) -> &Id,
    ) -> Result<Many<'b, Node>, FieldError> {
        self.record_call(coordinate, parents.len());
        if coordinate.starts_with("Person") {
            tokio::task::yield_now().await;
        }
        Ok(parents.map_many(|p| {
            let n = number(id(p));
            Ok(vec![
                Node::Tour(tour(n + 10)),
                Node::Person(Person {
                    id: format!("p{n}").into(),
                }),
            ])
        }))
    }
}

pub(crate) struct Generated;

impl GeneratedSchema for Generated {
    type Schema = App;
    type Role = Role;
    const SDL: &'static str = include_str!("schema.graphql");
    const QUERY: &'static str = "Query";
    const MUTATION: Option<&'static str> = Some("Mutation");
    const SUBSCRIPTION: Option<&'static str> = Some("Subscription");
    const ERRORS: &'static [ErrorDefinition] = &[ErrorDefinition {
        code: "UNAUTHENTICATED",
        http: 401,
        message: "Sign in first.",
    }];

    fn object(name: &str) -> Option<(&'static str, &'static [&'static str])> {
        Some(match name {
            "Tour" => ("Tour", Tour::FIELDS),
            "Person" => ("Person", Person::FIELDS),
            "Step" => ("Step", Step::FIELDS),
            "Text" => ("Text", Text::FIELDS),
            "Video" => ("Video", Video::FIELDS),
            "Strict" => ("Strict", Strict::FIELDS),
            "TourConnection" => ("TourConnection", Page::<Tour>::FIELDS),
            "TourEdge" => ("TourEdge", traitql::Edge::<Tour>::FIELDS),
            "PageInfo" => ("PageInfo", traitql::PageInfo::FIELDS),
            _ => return None,
        })
    }

    fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Resolution<'c> {
        match call.parent() {
            "Query" => query(call),
            "Mutation" => mutation(call),
            "Tour" => tours(rows_of(rows), call),
            "Person" => people(rows_of(rows), call),
            "Step" => steps(rows_of(rows), call),
            "Video" => videos(rows_of(rows), call),
            _ => call.unknown(),
        }
    }

    fn events<'c>(call: &'c Call<'c, Self>) -> BoxFuture<'c, Result<EventColumns, FieldError>> {
        let execute = async move {
            let until = int(&call.arguments()?, "until");
            if until < 0 {
                return Err(FieldError::new("NEVER", 400, "It never starts."));
            }
            let dropped = SetOnDrop(Arc::clone(&call.resolvers().dropped));
            let shared = call.resolvers().shares_ticks.load(SeqCst).then(|| call.cx().clone());
            let ticks = stream::iter(0..until).map(move |n| {
                let _keep = &dropped;
                if let Some(cx) = &shared {
                    cx.share_event(NonZeroU64::MIN.saturating_add(n as u64));
                }
                if n == 1 {
                    Err(FieldError::new("TICK", 400, "The second tick is lost."))
                } else {
                    Ok(tour(n as usize))
                }
            });
            Ok(ticks.boxed())
        };
        Box::pin(call.events(execute))
    }
}

fn int(arguments: &Map<String, Value>, name: &str) -> i64 {
    arguments[name].as_i64().expect("the engine has coerced the argument")
}

fn query<'c>(call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    match call.field() {
        "tours" => call.value(async move {
            let first = int(&call.arguments()?, "first");
            app.record_call("Query.tours", 1);
            Ok((0..first as usize).map(tour).collect::<Vec<_>>())
        }),
        "tour" => call.value(async move {
            let id = Id::from(call.arguments()?["id"].as_str().unwrap_or_default());
            if id == "selected" {
                let selection = call.cx().selection().expect("resolvers have a selection");
                let name = call.cx().selects("owner.name");
                app.record_call(&format!("{selection:?}, owner.name: {name}"), 1);
            }
            Ok((id == "t1").then_some(Tour { id }))
        }),
        "node" => call.value(async { Ok(Node::Tour(tour(1))) }),
        "nodes" => call.value(async {
            let person = |id: &str| Node::Person(Person { id: id.into() });
            Ok(vec![
                Node::Tour(tour(1)),
                person("p1"),
                Node::Tour(tour(2)),
                person("p2"),
            ])
        }),
        "search" => call.value(async {
            Ok(vec![
                Some(Node::Person(Person { id: "p5".into() })),
                None,
                Some(Node::Tour(tour(3))),
            ])
        }),
        "page" => call.value(async move {
            let first = int(&call.arguments()?, "first") as usize;
            Ok(Page::new((0..first).map(tour).collect(), true, |t: &Tour| format!("c{}", t.id)).with_total(9))
        }),
        "echo" => call.value(async move { Ok(Value::Object(call.arguments()?).to_string()) }),
        "secret" => call.value(async move {
            let account = call.account(async { Ok("a1".into()) }).await?;
            let execute = async {
                app.grants.fetch_add(1, SeqCst);
                tokio::task::yield_now().await;
                let subject = call.cx().principal().map(|p| p.subject.as_str());
                let role = app.roles.iter().find(|(who, _)| Some(**who) == subject);
                Ok(role.map(|(_, role)| Grant {
                    scope: "w1".into(),
                    role: *role,
                }))
            };
            let words = ("workspace", "ADMIN");
            let viewer: Viewer<Admin> = call.viewer(&account, ("Workspace", "w1"), words, execute).await?;
            call.rate(
                RateLimit {
                    field: "Query.secret",
                    limit: 3,
                    window_seconds: 60,
                },
                Some(viewer.account.as_str()),
            )?;
            Ok(format!("for {}", viewer.account))
        }),
        "fails" => call.value(async {
            tokio::task::yield_now().await;
            Err::<i32, _>(FieldError::new("SOFT", 409, "It fails softly.").slot("n", "1"))
        }),
        "failsHard" => call.value(async { Err::<i32, _>(FieldError::internal("the disk is full")) }),
        "waits" => call.value(async move {
            let _set = SetOnDrop(Arc::clone(&app.dropped));
            app.waiting.store(true, SeqCst);
            tokio::time::sleep(Duration::from_secs(3600)).await;
            Ok(1)
        }),
        _ => call.unknown(),
    }
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

fn mutation<'c>(call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    call.value(async move {
        let n = int(&call.arguments()?, "n");
        app.record_call(&format!("{} {n} begins", call.field()), 1);
        tokio::time::sleep(Duration::from_millis(u64::try_from(20 - n).unwrap_or(0))).await;
        app.record_call(&format!("{} {n} ends", call.field()), 1);
        match (call.field(), n) {
            ("addOrFail", 2) => Err(FieldError::new("NO", 409, "Two is too many.")),
            _ => Ok(n as i32),
        }
    })
}

fn tours<'c>(rows: &'c [Tour], call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    match call.field() {
        "owner" => call.one(app.owner("Tour.owner", call.batch(rows), |tour| &tour.id)),
        "related" => call.many(app.related("Tour.related", call.batch(rows), |tour| &tour.id)),
        "steps" => call.many(async move {
            let first = int(&call.arguments()?, "first");
            app.record_call("Tour.steps", rows.len());
            Ok(call.batch(rows).map_many(|tour| {
                Ok((0..first)
                    .map(|n| Step {
                        title: format!("Step {n} of {}", tour.id),
                        tour: tour.id.clone(),
                    })
                    .collect())
            }))
        }),
        "risky" | "strict" => call.one(async move {
            app.record_call(&format!("Tour.{}", call.field()), rows.len());
            Ok(call.batch(rows).map(|tour| match tour.id.as_str() {
                "t1" => Err(FieldError::new("RISK", 422, "Tour t1 is risky.")),
                id => Ok(id.to_owned()),
            }))
        }),
        "wrong" => call.many(async move {
            Ok(call
                .batch(rows)
                .map_many(|tour| Ok(vec![Strict(None), Strict(Some(tour.id.to_string()))])))
        }),
        "panics" => call.one(async move {
            assert!(rows.is_empty(), "boom");
            Ok(call.batch(rows).map(|_| Ok(1)))
        }),
        "nothing" => call.one(async move { Ok(call.batch(rows).map_opt(|_| Ok(None::<i32>))) }),
        _ => call.unknown(),
    }
}

fn people<'c>(rows: &'c [Person], call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    match call.field() {
        "owner" => call.one(app.owner("Person.owner", call.batch(rows), |person| &person.id)),
        "related" => call.many(app.related("Person.related", call.batch(rows), |person| &person.id)),
        "boss" => call.one(async move {
            app.record_call("Person.boss", rows.len());
            Ok(call.batch(rows).map_opt(|person| {
                let boss = number(&person.id).checked_sub(1);
                Ok(boss.map(|n| Person {
                    id: format!("p{n}").into(),
                }))
            }))
        }),
        "tours" => call.many(async move {
            app.record_call("Person.tours", rows.len());
            Ok(call
                .batch(rows)
                .map_many(|person| Ok(vec![tour(number(&person.id)), tour(number(&person.id) + 2)])))
        }),
        _ => call.unknown(),
    }
}

fn steps<'c>(rows: &'c [Step], call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    match call.field() {
        "tour" => call.one(async move {
            app.record_call("Step.tour", rows.len());
            let parents = call.batch(rows);
            let rows = parents
                .keys(|step| step.tour.clone())
                .into_iter()
                .map(|id| Tour { id })
                .collect();
            Ok(parents.join(rows, |tour| tour.id.clone(), |step| step.tour.clone()))
        }),
        _ => call.unknown(),
    }
}

fn videos<'c>(rows: &'c [Video], call: &'c Call<'c, Generated>) -> Resolution<'c> {
    let app = call.resolvers();
    match call.field() {
        "author" => call.one(async move {
            app.record_call("Video.author", rows.len());
            Ok(call.batch(rows).map(|video| {
                Ok(Person {
                    id: format!("p{}", video.0).into(),
                })
            }))
        }),
        _ => call.unknown(),
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Strict(pub Option<String>);

impl Content {
    pub(crate) fn of(id: &Id) -> Self {
        match number(id) {
            even if even % 2 == 0 => Self::Text(Text(format!("about {id}"))),
            odd => Self::Video(Video(odd as i32)),
        }
    }
}

pub(crate) fn cx(subject: Option<&str>) -> Ctx {
    let principal = subject.map(|subject| traitql::Principal {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        name: None,
        email: None,
        email_verified: false,
        picture: None,
        roles: Vec::new(),
        roles_known: true,
        issued_at: None,
        expires_at: "2100-01-01T00:00:00Z".parse().expect("an instant"),
        authenticated: traitql::Authenticated::Unchecked,
        acr_levels: traitql::AcrLevels::Unchecked,
        ..traitql::Principal::default()
    });
    traitql::CtxParts {
        request_id: "r1".to_owned(),
        principal,
        ..Default::default()
    }
    .into()
}
