//! The generator's code for any schema at run time. Coordinates decide which fields are stored.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex},
};

use futures_util::{StreamExt, future::BoxFuture, stream};
use serde_json::{Map, Value};
use traitql::{
    Batch, Check, FieldError, Input, Many, One, Scalar, Violations,
    engine::{
        Call, Data, ErrorDefinition, EventColumns, GeneratedSchema, Output, Position, Resolution, RowSet, Rows, Shape,
        Values, Visitor, Writer, Written, rows_of,
    },
};

use crate::{
    facts::{Facts, MUTATION, QUERY, SUBSCRIPTION},
    world::{Broken, Given, Thing, World, canonical, is_rejected, mixed},
};

pub(crate) struct Dynamic;

pub(crate) struct Resolvers {
    pub(crate) facts: Arc<Facts>,
    pub(crate) world: Mutex<World>,
    pub(crate) calls: Mutex<Vec<ResolverCall>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResolverCall {
    pub(crate) coordinate: String,
    pub(crate) arguments: String,
    pub(crate) parents: Vec<u64>,
}

struct Arguments(Map<String, Value>);

impl Input for Arguments {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        if is_rejected(value) {
            at.violation(traitql::Problem::Rejected("is not accepted".to_owned()));
            return None;
        }
        value.as_object().cloned().map(Self)
    }
}

impl Check for Arguments {
    fn check(&self, _: &mut Violations) {}
}

pub(crate) fn root(type_name: &'static str) -> Thing {
    Thing { type_name, number: 0 }
}

pub(crate) fn is_stored(facts: &Facts, type_name: &str, field: &str) -> bool {
    let Some(definition) = facts.field(type_name, field) else {
        return false;
    };
    let is_root = [QUERY, MUTATION, SUBSCRIPTION].contains(&type_name);
    // Most leaves are stored, most objects are not.
    let of_four = if facts.is_leaf(&definition.ty) { 3 } else { 1 };
    !is_root && definition.arguments.is_empty() && mixed(0, &[type_name, field]).usize(..4) < of_four
}

impl GeneratedSchema for Dynamic {
    type Schema = Resolvers;
    type Role = ();
    const SDL: &'static str = "";
    const QUERY: &'static str = QUERY;
    const MUTATION: Option<&'static str> = Some(MUTATION);
    const SUBSCRIPTION: Option<&'static str> = Some(SUBSCRIPTION);
    const ERRORS: &'static [ErrorDefinition] = &[];

    fn object(name: &str) -> Option<(&'static str, &'static [&'static str])> {
        with_current_case(|case| case.facts.object(name))
    }

    fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Resolution<'c> {
        let resolvers = call.resolvers();
        let asking = RunningCall::new(call);
        match call.parent() {
            QUERY => {
                return call.value(asking.with_arguments(call, move |asking| asking.value(root(QUERY))));
            }
            MUTATION => {
                return call.value(asking.with_arguments(call, move |asking| asking.value(root(MUTATION))));
            }
            _ => {}
        }
        let things = rows_of::<Thing>(rows);
        let batch = call.batch(things);
        let definition = resolvers
            .facts
            .field(call.parent(), call.field())
            .expect("the document is valid");
        if definition.ty.is_list() {
            call.many(asking.with_arguments(call, move |asking| asking.many(things, batch)))
        } else {
            call.one(asking.with_arguments(call, move |asking| asking.one(things, batch)))
        }
    }

    fn events<'c>(call: &'c Call<'c, Self>) -> BoxFuture<'c, Result<EventColumns, FieldError>> {
        let events = RunningCall::new(call).with_arguments(call, RunningCall::events);
        Box::pin(call.events(events))
    }
}

/// The parents for which a resolver returns results.
#[derive(PartialEq)]
enum Extent {
    Whole,
    /// All but one.
    Short,
}

struct RunningCall<'c> {
    resolvers: &'c Resolvers,
    world: World,
    coordinate: String,
    field: &'c str,
    arguments: Map<String, Value>,
}

impl<'c> RunningCall<'c> {
    fn new(call: &Call<'c, Dynamic>) -> Self {
        Self {
            resolvers: call.resolvers(),
            world: call.resolvers().world.lock().unwrap().clone(),
            coordinate: format!("{}.{}", call.parent(), call.field()),
            field: call.field(),
            arguments: Map::new(),
        }
    }

    async fn with_arguments<T, F>(
        self,
        call: &'c Call<'c, Dynamic>,
        run: impl FnOnce(Self) -> F,
    ) -> Result<T, FieldError>
    where
        T: 'c,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
        Self: 'c,
    {
        let definition = self.resolvers.facts.field(call.parent(), call.field());
        if definition.is_none_or(|definition| definition.arguments.is_empty()) {
            return run(self).await;
        }
        let with = |Arguments(arguments)| -> BoxFuture<'c, _> { Box::pin(run(Self { arguments, ..self })) };
        call.with_arguments(with).await
    }

    async fn begin(&self, parents: Vec<u64>) -> Result<Extent, FieldError> {
        self.resolvers.calls.lock().unwrap().push(ResolverCall {
            coordinate: self.coordinate.clone(),
            arguments: canonical(&self.arguments),
            parents,
        });
        for _ in 0..self.world.delay(&self.coordinate) {
            tokio::task::yield_now().await;
        }
        match self.world.broken(&self.coordinate, &self.arguments) {
            Some(Broken::Fails(error)) => Err(error),
            Some(Broken::Panics) => panic!("a resolver panics"),
            Some(Broken::Short) => Ok(Extent::Short),
            None => Ok(Extent::Whole),
        }
    }

    fn answer(&self, parent: Thing) -> Result<Option<Given>, FieldError> {
        let facts = &self.resolvers.facts;
        match self.world.answer(facts, parent, self.field, &self.arguments, false) {
            Given::Null => Ok(None),
            Given::Failed(error) => Err(error),
            given => Ok(Some(given)),
        }
    }

    async fn value(self, root: Thing) -> Result<Option<Given>, FieldError> {
        self.begin(Vec::new()).await?;
        self.answer(root)
    }

    async fn one(self, things: &'c [Thing], batch: Batch<'c, Thing>) -> Result<One<'c, Given>, FieldError> {
        if self.begin(numbers(batch)).await? == Extent::Short {
            return Ok(Batch::__row(&things[1..]).map_opt(|thing| self.answer(*thing)));
        }
        // Half of the resolvers share the rows of equal parents.
        let answers: Vec<_> = batch.iter().map(|thing| (thing.number, self.answer(*thing))).collect();
        if mixed(1, &[&self.coordinate]).usize(..2) == 0 || answers.iter().any(|(_, answer)| answer.is_err()) {
            return Ok(batch.map_opt(|thing| self.answer(*thing)));
        }
        let rows = answers
            .into_iter()
            .filter_map(|(number, answer)| Some((number, answer.ok()??)));
        Ok(batch
            .join(rows.collect(), |row| row.0, |thing| thing.number)
            .map_rows(|row| row.1))
    }

    async fn many(self, things: &'c [Thing], batch: Batch<'c, Thing>) -> Result<Many<'c, Given>, FieldError> {
        let extent = self.begin(numbers(batch)).await?;
        let entries = |thing: &Thing| {
            Ok(match self.answer(*thing)? {
                Some(Given::List(entries)) => Some(entries),
                _ => None,
            })
        };
        Ok(match extent {
            Extent::Short => Batch::__row(&things[1..]).map_many_opt(entries),
            Extent::Whole => batch.map_many_opt(entries),
        })
    }

    async fn events(self) -> Result<stream::BoxStream<'static, Result<Given, FieldError>>, FieldError> {
        self.begin(Vec::new()).await?;
        let events = self.world.events(&self.resolvers.facts, self.field, &self.arguments)?;
        Ok(stream::iter(events).boxed())
    }
}

/// The order of types is not significant.
fn numbers(batch: Batch<'_, Thing>) -> Vec<u64> {
    let mut numbers: Vec<u64> = batch.iter().map(|thing| thing.number).collect();
    numbers.sort_unstable();
    numbers
}

thread_local! {
    /// Rows only have a type and a number.
    static CURRENT_CASE: RefCell<Option<CurrentCase>> = const { RefCell::new(None) };
}

pub(crate) struct CurrentCase {
    facts: Arc<Facts>,
    world: World,
}

impl CurrentCase {
    pub(crate) fn begin(facts: &Arc<Facts>, world: &World) {
        let (facts, world) = (Arc::clone(facts), world.clone());
        CURRENT_CASE.set(Some(Self { facts, world }));
    }
}

fn with_current_case<T>(read: impl FnOnce(&CurrentCase) -> T) -> T {
    CURRENT_CASE.with_borrow(|case| read(case.as_ref().expect("a case must be set")))
}

impl Data for Thing {
    const NAME: &'static str = "";
    /// The fields depend on the type, see [`Dynamic::object`].
    const FIELDS: &'static [&'static str] = &[];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        with_current_case(|CurrentCase { facts, world }| {
            let (_, fields) = facts.object(self.type_name).expect("things are objects");
            let field = fields[field];
            visitor.computed(|| {
                assert!(!world.panics(*self, field), "data panics");
                world.answer(facts, *self, field, &Map::new(), true)
            })
        })
    }
}

/// A custom scalar that panics when it is written.
#[derive(Debug, Clone, PartialEq)]
struct Unwritable;

impl Scalar for Unwritable {
    fn parse(_: &Value) -> Result<Self, String> {
        Ok(Self)
    }

    fn write(&self) -> Value {
        panic!("a scalar panics")
    }
}

impl Output for Given {
    fn shape(self, rows: &mut RowSet) -> Shape {
        match self {
            Self::Null => Shape::Null,
            Self::Failed(error) => Shape::failed(error),
            Self::Boolean(value) => value.shape(rows),
            Self::Int(value) => value.shape(rows),
            Self::Float(value) => value.shape(rows),
            Self::Text(text) => text.shape(rows),
            Self::Json(json) => json.shape(rows),
            Self::Thing(thing) => rows.push(thing.type_name, thing),
            Self::List(entries) => entries.shape(rows),
            Self::Panics => Unwritable.shape(rows),
        }
    }

    fn write<'p>(&self, to: &mut Writer<'p>, at: Position<'p>) -> Written {
        match self {
            Self::Null => Written::Null,
            Self::Failed(error) => Written::failed(error.clone()),
            Self::Boolean(value) => value.write(to, at),
            Self::Int(value) => value.write(to, at),
            Self::Float(value) => value.write(to, at),
            Self::Text(text) => text.write(to, at),
            Self::Json(json) => Output::write(json, to, at),
            Self::Thing(thing) => to.object(thing.type_name, thing, at),
            Self::List(entries) => entries.write(to, at),
            Self::Panics => Output::write(&Unwritable, to, at),
        }
    }

    /// Like generated code: leaves remain leaves, and objects of one type are the rows of the level below.
    fn values(all: Vec<Self>, rows: &mut RowSet) -> Values {
        let is_leaf = |given: &Self| {
            matches!(
                given,
                Self::Boolean(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) | Self::Json(_) | Self::Panics
            )
        };
        if all.iter().all(is_leaf) {
            return Values::Leaves(Box::new(all));
        }
        if let Some(Self::Thing(first)) = all.first() {
            let same = all.iter().map(|given| match given {
                Self::Thing(thing) if thing.type_name == first.type_name => Some(*thing),
                _ => None,
            });
            if let Some(things) = same.collect() {
                return rows.push_column(first.type_name, things);
            }
        }
        Values::Shapes(all.into_iter().map(|given| given.shape(rows)).collect())
    }
}
