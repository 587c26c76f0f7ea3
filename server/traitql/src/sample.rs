//! Sample values: what a field answers while nobody has written its resolver.
//!
//! A server that is being built is useful to others from its first minute when it answers everything with values of the
//! right type. So an application may say of a field that it is mocked ([`mocked!`](crate::mocked)); the generated code then
//! answers it with [`Sample`] values. Taking a field from that list makes rustc ask for its resolver, so the way from mocks
//! to resolvers is a list that gets shorter.
//!
//! Values are computed from the coordinate, the arguments and the parent, and from nothing else: the same question has the
//! same answer in every run, and whoever asks for an object by its id gets the object that a list showed under it. Nothing
//! here is random, reads a clock or keeps a state.
//!
//! What a mock does not do: it remembers no mutation and checks no rule of the application.

mod words;

use std::{
    fmt::{self, Debug, Write as _},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt, stream};
use serde_json::Value;

use crate::{Batch, Edge, Events, FieldError, Id, Many, One, Page, PageInfo, Scalar, Throws};

/// Says that a field is answered with sample values. `F` is its marker: `field::QueryTours`. See [`mocked!`](crate::mocked).
#[diagnostic::on_unimplemented(
    message = "`{F}` of `{Self}` is not mocked",
    note = "add the field to the list of `traitql::mocked!`, or implement its resolver"
)]
pub trait Mocked<F> {}

/// Answers fields with sample values until their resolvers are written. Each field stands on a line of its own:
///
/// ```
/// # mod field { pub enum QueryTours {} pub enum TourDraft {} }
/// struct App;
///
/// traitql::mocked! { App:
///     field::QueryTours,
///     field::TourDraft,
/// }
/// ```
///
/// To write a resolver, take its line away: rustc then says what is missing, with the `impl` to paste. The generated crate
/// can answer with samples when `codegen.yml` says `samples: true` in its section `traitql`.
#[macro_export]
macro_rules! mocked {
    ($app:ty: $($field:ty),* $(,)?) => {
        $(impl $crate::Mocked<$field> for $app {})*
    };
}

/// A type that has sample values.
pub trait Sample: Sized {
    /// A value; `None` when the type has none that could be found: a union without members, or a scalar whose type refuses
    /// every text and number that was tried.
    fn sample(at: &Sampler) -> Option<Self>;
}

/// Entries of a list without an argument that limits it.
const ENTRIES: usize = 3;

/// Objects of one type that lists show. Few, so that the same ones are met again on different ways.
const OBJECTS: u64 = 40;

/// How deep values lie in values that have no resolvers of their own (`@embedded` types, which may contain themselves).
const DEPTH: u8 = 4;

/// Where a sample value stands, which is all that it is made from.
#[derive(Debug, Clone)]
pub struct Sampler {
    coordinate: &'static str,
    seed: Seed,
    /// Position in a list, which keeps the objects of a list apart.
    position: u64,
    /// The objects that the arguments ask for.
    ids: Vec<Id>,
    limit: Option<usize>,
    depth: u8,
    field: &'static str,
    ty: &'static str,
    /// Id of the object that the value belongs to.
    object: Option<Id>,
}

impl Sampler {
    /// The answer of the field with this coordinate.
    pub fn of(coordinate: &'static str) -> Self {
        Self {
            coordinate,
            seed: Seed::default().with(coordinate),
            position: 0,
            ids: Vec::new(),
            limit: None,
            depth: 0,
            field: coordinate.rsplit('.').next().unwrap_or(coordinate),
            ty: "",
            object: None,
        }
    }

    /// Other arguments, or another parent, other values.
    pub fn given(mut self, value: &dyn Debug) -> Self {
        self.seed = self.seed.with_debug(value);
        self
    }

    /// Objects that are asked for by their ids are answered with just these ids.
    pub fn ids<'i>(mut self, ids: impl IntoIterator<Item = &'i Id>) -> Self {
        self.ids.extend(ids.into_iter().cloned());
        self
    }

    /// No list has more entries than were asked for.
    pub fn limit(mut self, limit: impl Into<Option<i32>>) -> Self {
        self.limit = limit.into().map(|limit| usize::try_from(limit).unwrap_or(0));
        self
    }

    /// Name of the type that the field has in the schema.
    pub fn ty(mut self, ty: &'static str) -> Self {
        self.ty = ty;
        self
    }

    /// The answer of a root field.
    pub fn value<T: Sample, F>(&self) -> Result<T, Throws<F>> {
        T::sample(self).ok_or_else(|| Throws::__new(self.nothing()))
    }

    /// A stream that begins at once and has an event each second.
    pub fn events<T: Sample + Send + 'static, F: Send + 'static>(self) -> Result<Events<T, F>, Throws<F>> {
        let events = stream::unfold(0, move |position| {
            let at = Self {
                position,
                ..self.clone()
            };
            async move {
                if position > 0 {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                Some((at.value(), position + 1))
            }
        });
        Ok(events.boxed())
    }

    /// The answers of a field with at most one value per parent.
    pub fn one<'b, P: Debug, T: Sample>(&self, parents: Batch<'b, P>) -> One<'b, T> {
        parents.map(|parent| T::sample(&self.clone().given(parent)).ok_or_else(|| self.nothing()))
    }

    /// The answers of a field with a list per parent.
    pub fn many<'b, P: Debug, T: Sample>(&self, parents: Batch<'b, P>) -> Many<'b, T> {
        parents.map_many(|parent| Vec::sample(&self.clone().given(parent)).ok_or_else(|| self.nothing()))
    }

    /// The object of this type that stands here: its fields belong together, whichever way led to it.
    pub fn object(&self, ty: &'static str) -> Self {
        let number = self.seed.0 % OBJECTS + 1 + self.position;
        let id = self
            .asked()
            .cloned()
            .unwrap_or_else(|| Id::new(format!("{}-{number}", words::kebab(ty))));
        Self {
            coordinate: self.coordinate,
            seed: Seed::default().with(ty).with(id.as_str()),
            position: 0,
            ids: Vec::new(),
            limit: None,
            depth: self.depth + 1,
            field: "",
            ty,
            object: Some(id),
        }
    }

    /// The value of a field of the object that stands here. `ty` is the name of its type in the schema.
    pub fn field<T: Sample>(&self, field: &'static str, ty: &'static str) -> Option<T> {
        let at = Self {
            seed: self.seed.with(field),
            field,
            ty,
            ..self.clone()
        };
        T::sample(&at)
    }

    /// Which of these types the value of an interface or union has: the one that an id was made for, else any.
    pub fn member(&self, members: &[&'static str]) -> usize {
        let named = self.asked().and_then(|id| {
            let (prefix, _) = id.as_str().rsplit_once('-')?;
            members.iter().position(|member| words::kebab(member) == prefix)
        });
        named.unwrap_or_else(|| self.pick(members.len()))
    }

    /// One of the values of an enum.
    pub fn one_of<T: Copy>(&self, values: &[T]) -> Option<T> {
        values.get(self.pick(values.len())).copied()
    }

    fn asked(&self) -> Option<&Id> {
        self.ids.get(usize::try_from(self.position).unwrap_or(usize::MAX))
    }

    fn pick(&self, among: usize) -> usize {
        let among = among.max(1) as u64;
        usize::try_from((self.number() % among + self.position) % among).unwrap_or(0)
    }

    /// A number that differs from place to place.
    fn number(&self) -> u64 {
        self.seed.0 ^ (self.seed.0 >> 29)
    }

    fn entries(&self) -> usize {
        match (self.ids.len(), self.limit) {
            (0, limit) => ENTRIES.min(limit.unwrap_or(ENTRIES)),
            (asked, _) => asked,
        }
    }

    fn is_too_deep(&self) -> bool {
        self.depth >= DEPTH
    }

    fn nothing(&self) -> FieldError {
        let Self { coordinate, ty, .. } = self;
        let message =
            format!("`{coordinate}` is mocked, but no sample value of `{ty}` could be made. Write its resolver.");
        FieldError::new("UNIMPLEMENTED", 501, message)
    }
}

/// FNV-1a: the same in every version of Rust and on every machine, which `std::hash` does not promise.
#[derive(Debug, Clone, Copy)]
struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Seed {
    fn with(mut self, text: &str) -> Self {
        // Writing into a number cannot fail. The end is marked, so that `ab, c` is not `a, bc`.
        let _ = self.write_str(text).and_then(|()| self.write_str("\0"));
        self
    }

    fn with_debug(mut self, value: &dyn Debug) -> Self {
        let _ = write!(self, "{value:?}\0");
        self
    }
}

impl fmt::Write for Seed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

impl Sample for String {
    fn sample(at: &Sampler) -> Option<Self> {
        Some(words::text(at.field, at.number().wrapping_add(at.position)))
    }
}

impl Sample for Id {
    /// The object's own id where the field is called so; otherwise the id of something that is called like the field.
    fn sample(at: &Sampler) -> Option<Self> {
        let own = at.object.as_ref().filter(|_| at.field == "id");
        let other = || {
            let name = words::kebab(at.field);
            let name = name.strip_suffix("-ids").or(name.strip_suffix("-id")).unwrap_or(&name);
            Id::new(format!("{name}-{}", at.seed.0 % OBJECTS + 1 + at.position))
        };
        Some(own.cloned().unwrap_or_else(other))
    }
}

impl Sample for bool {
    fn sample(at: &Sampler) -> Option<Self> {
        Some(at.pick(2) == 0)
    }
}

impl Sample for f64 {
    fn sample(at: &Sampler) -> Option<Self> {
        Some(f64::from(words::integer(at.field, at.number())) + (at.number() % 10) as f64 / 10.0)
    }
}

macro_rules! integers {
    ($($ty:ty),*) => {
        $(impl Sample for $ty {
            fn sample(at: &Sampler) -> Option<Self> {
                Some(words::integer(at.field, at.number().wrapping_add(at.position)).into())
            }
        })*
    };
}

integers!(i32, u32, i64, u64);

impl<T: Sample> Sample for Option<T> {
    /// Null only where nothing else ends it, because a null shows nothing.
    fn sample(at: &Sampler) -> Option<Self> {
        Some(if at.is_too_deep() { None } else { T::sample(at) })
    }
}

impl<T: Sample> Sample for Arc<T> {
    fn sample(at: &Sampler) -> Option<Self> {
        T::sample(at).map(Self::new)
    }
}

impl<T: Sample> Sample for Vec<T> {
    /// An empty list where entries have no values.
    fn sample(at: &Sampler) -> Option<Self> {
        let entries = if at.is_too_deep() { 0 } else { at.entries() as u64 };
        let entry = |position| {
            T::sample(&Sampler {
                position,
                limit: None,
                ..at.clone()
            })
        };
        Some((at.position..at.position + entries).map_while(entry).collect())
    }
}

impl<T: Sample> Sample for Page<T> {
    /// The only page of a short list.
    fn sample(at: &Sampler) -> Option<Self> {
        let nodes: Vec<T> = Vec::sample(at)?;
        let total = i32::try_from(nodes.len()).ok()?;
        let mut position = 0;
        let page = Self::new(nodes, false, |_| {
            position += 1;
            format!("after-{position}")
        });
        Some(page.with_total(total))
    }
}

impl<T: Sample> Sample for Edge<T> {
    /// An entry of that page.
    fn sample(at: &Sampler) -> Option<Self> {
        Some(Self {
            node: T::sample(at)?,
            cursor: format!("after-{}", at.position + 1),
        })
    }
}

impl Sample for PageInfo {
    /// What that page tells about itself.
    fn sample(_: &Sampler) -> Option<Self> {
        Some(Self::default())
    }
}

/// Custom scalars, whatever type stands for them: the first value that their own reading accepts.
impl<T: Scalar> Sample for T {
    fn sample(at: &Sampler) -> Option<Self> {
        let candidates: Vec<Value> = words::scalars(at.ty, at.field, at.number().wrapping_add(at.position));
        candidates.iter().find_map(|candidate| T::parse(candidate).ok())
    }
}

#[cfg(test)]
mod tests;
