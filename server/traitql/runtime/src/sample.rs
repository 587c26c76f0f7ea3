//! Sample values of the fields in [`mocked!`](crate::mocked).
//!
//! Values depend only on the coordinate, the arguments and the parent: an object in a list has the same fields when it
//! is requested by its id. Mutations have no effect.

mod values;

use std::{
    fmt::{self, Debug, Write as _},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt, stream};
use serde_json::Value;

use crate::{Batch, Edge, Events, FieldError, Id, Many, One, Page, PageInfo, Scalar, Throws};

/// Marks that a field is listed in [`mocked!`](crate::mocked). `F` is its marker: `field::QueryTours`.
///
/// rustc names this trait if a resolver conflicts with sample values: remove the field from the list.
#[diagnostic::on_unimplemented(
    message = "`{F}` of `{Self}` is not mocked",
    note = "add the field to the list of `traitql::mocked!`, or implement its resolver"
)]
pub trait ListedInMocked<F> {}

/// Resolves fields with sample values until their resolvers are written. One field per line:
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
/// Remove a line to write its resolver: rustc reports the missing `impl`, ready to be pasted. The generated crate
/// supports samples if `codegen.yml` sets `samples: true` in its section `traitql`.
#[macro_export]
macro_rules! mocked {
    ($app:ty: $($field:ty),* $(,)?) => {
        $(impl $crate::ListedInMocked<$field> for $app {})*
    };
}

/// A type that has sample values.
pub trait Sample: Sized {
    /// Returns `None` if the type has no values: a union without members, or a scalar that rejects all candidates.
    fn sample(at: &Sampler) -> Option<Self>;
}

/// Number of entries of a list without a limiting argument.
const DEFAULT_ENTRIES: usize = 3;

/// Distinct objects per type. Few, so that different queries return the same ones.
const OBJECTS: u64 = 40;

/// Maximum nesting of `@embedded` types, which may be recursive.
const MAX_DEPTH: u8 = 4;

/// The position of a sample value, from which the value is computed.
#[derive(Debug, Clone)]
pub struct Sampler {
    coordinate: &'static str,
    seed: Seed,
    /// Index in a list.
    position: u64,
    ids: Vec<Id>,
    limit: Option<usize>,
    depth: u8,
    field: &'static str,
    ty: &'static str,
    /// Contains the value.
    object: Option<Id>,
}

impl Sampler {
    /// Returns the position of a field.
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

    /// Makes the values depend on an argument or a parent.
    pub fn seed(mut self, value: &dyn Debug) -> Self {
        self.seed = self.seed.with_debug(value);
        self
    }

    /// Sets the requested ids.
    pub fn ids<'i>(mut self, ids: impl IntoIterator<Item = &'i Id>) -> Self {
        self.ids.extend(ids.into_iter().cloned());
        self
    }

    /// Limits the length of lists.
    pub fn limit(mut self, limit: impl Into<Option<i32>>) -> Self {
        self.limit = limit.into().map(|limit| usize::try_from(limit).unwrap_or(0));
        self
    }

    /// Sets the name of the field's type.
    pub fn ty(mut self, ty: &'static str) -> Self {
        self.ty = ty;
        self
    }

    /// Returns the value of a root field.
    pub fn value<T: Sample, F>(&self) -> Result<T, Throws<F>> {
        T::sample(self).ok_or_else(|| Throws::__new(self.no_value()))
    }

    /// Returns a stream with one event at once and then one per second.
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

    /// Returns the values of a field with at most one value per parent.
    pub fn one<'b, P: Debug, T: Sample>(&self, parents: Batch<'b, P>) -> One<'b, T> {
        parents.map(|parent| T::sample(&self.clone().seed(parent)).ok_or_else(|| self.no_value()))
    }

    /// Returns the values of a field with a list per parent.
    pub fn many<'b, P: Debug, T: Sample>(&self, parents: Batch<'b, P>) -> Many<'b, T> {
        parents.map_many(|parent| Vec::sample(&self.clone().seed(parent)).ok_or_else(|| self.no_value()))
    }

    /// Returns the position of an object, whose fields depend on its id only.
    pub fn object(&self, ty: &'static str) -> Self {
        let number = self.seed.0 % OBJECTS + 1 + self.position;
        let id = self
            .requested_id()
            .cloned()
            .unwrap_or_else(|| Id::new(format!("{}-{number}", values::kebab(ty))));
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

    /// Returns a field of this object. `ty` names the field's type.
    pub fn field<T: Sample>(&self, field: &'static str, ty: &'static str) -> Option<T> {
        let at = Self {
            seed: self.seed.with(field),
            field,
            ty,
            ..self.clone()
        };
        T::sample(&at)
    }

    /// Selects a member of an abstract type: that of a requested id, or any.
    pub fn member(&self, members: &[&'static str]) -> usize {
        let named = self.requested_id().and_then(|id| {
            let (prefix, _) = id.as_str().rsplit_once('-')?;
            members.iter().position(|member| values::kebab(member) == prefix)
        });
        named.unwrap_or_else(|| self.pick(members.len()))
    }

    /// Selects a value of an enum.
    pub fn one_of<T: Copy>(&self, values: &[T]) -> Option<T> {
        values.get(self.pick(values.len())).copied()
    }

    fn requested_id(&self) -> Option<&Id> {
        self.ids.get(usize::try_from(self.position).unwrap_or(usize::MAX))
    }

    fn pick(&self, among: usize) -> usize {
        let among = among.max(1) as u64;
        usize::try_from((self.number() % among + self.position) % among).unwrap_or(0)
    }

    /// Differs between positions.
    fn number(&self) -> u64 {
        self.seed.0 ^ (self.seed.0 >> 29)
    }

    fn entries(&self) -> usize {
        match (self.ids.len(), self.limit) {
            (0, limit) => DEFAULT_ENTRIES.min(limit.unwrap_or(DEFAULT_ENTRIES)),
            (requested, _) => requested,
        }
    }

    fn is_too_deep(&self) -> bool {
        self.depth >= MAX_DEPTH
    }

    fn no_value(&self) -> FieldError {
        let Self { coordinate, ty, .. } = self;
        let message = format!("`{coordinate}` is mocked, but `{ty}` has no sample value. Implement its resolver.");
        FieldError::new("UNIMPLEMENTED", 501, message)
    }
}

/// FNV-1a has the same values on every machine and with every Rust, unlike `std::hash`.
#[derive(Debug, Clone, Copy)]
struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Seed {
    fn with(mut self, text: &str) -> Self {
        // Hashing cannot fail. The terminator distinguishes `ab, c` from `a, bc`.
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
        Some(values::text(at.field, at.number().wrapping_add(at.position)))
    }
}

impl Sample for Id {
    /// The object's own id for a field named `id`, otherwise one derived from the field's name.
    fn sample(at: &Sampler) -> Option<Self> {
        let own = at.object.as_ref().filter(|_| at.field == "id");
        let other = || {
            let name = values::kebab(at.field);
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
        Some(f64::from(values::integer(at.field, at.number())) + (at.number() % 10) as f64 / 10.0)
    }
}

macro_rules! integers {
    ($($ty:ty),*) => {
        $(impl Sample for $ty {
            fn sample(at: &Sampler) -> Option<Self> {
                Some(values::integer(at.field, at.number().wrapping_add(at.position)).into())
            }
        })*
    };
}

integers!(i32, u32, i64, u64);

impl<T: Sample> Sample for Option<T> {
    /// Null only if the type has no other value.
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
    /// Empty if the entries have no values.
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
    fn sample(at: &Sampler) -> Option<Self> {
        Some(Self {
            node: T::sample(at)?,
            cursor: format!("after-{}", at.position + 1),
        })
    }
}

impl Sample for PageInfo {
    fn sample(_: &Sampler) -> Option<Self> {
        Some(Self::default())
    }
}

/// The first candidate that the type accepts.
impl<T: Scalar> Sample for T {
    fn sample(at: &Sampler) -> Option<Self> {
        let candidates: Vec<Value> = values::scalars(at.ty, at.field, at.number().wrapping_add(at.position));
        candidates.iter().find_map(|candidate| T::parse(candidate).ok())
    }
}

#[cfg(test)]
mod tests;
