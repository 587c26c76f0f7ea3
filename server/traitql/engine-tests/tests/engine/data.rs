use traitql::{
    DateTime,
    engine::{Data, Visitor},
};

use crate::app::{Content, Node, Person, Step, Strict, Text, Tour, Video, number};

impl Data for Tour {
    const NAME: &'static str = "Tour";
    const FIELDS: &'static [&'static str] = &[
        "id",
        "name",
        "old",
        "rating",
        "createdAt",
        "matrix",
        "content",
        "contents",
    ];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.id),
            1 => visitor.computed(|| format!("Tour {}", self.id)),
            2 => visitor.computed(|| None::<String>),
            3 => visitor.computed(|| Some(if self.id == "t1" { f64::NAN } else { 0.5 })),
            4 => visitor.computed(|| DateTime::from_millis(1_000).expect("an instant")),
            5 => visitor.computed(|| Some(vec![vec![Some(1), None], vec![i32::try_from(number(&self.id)).ok()]])),
            6 => visitor.computed(|| Content::of(&self.id)),
            7 => visitor.computed(|| vec![Content::Text(Text("intro".to_owned())), Content::of(&self.id)]),
            _ => visitor.unknown(),
        }
    }
}

impl Data for Person {
    const NAME: &'static str = "Person";
    const FIELDS: &'static [&'static str] = &["id", "name"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.id),
            1 => visitor.computed(|| format!("Person {}", self.id)),
            _ => visitor.unknown(),
        }
    }
}

impl Data for Step {
    const NAME: &'static str = "Step";
    const FIELDS: &'static [&'static str] = &["title", "broken"];

    fn visit<V: Visitor>(&self, field: usize, visitor: V) -> V::Output {
        match field {
            0 => visitor.stored(&self.title),
            1 => visitor.computed(|| {
                assert!(self.title.is_empty(), "broken");
                None::<i32>
            }),
            _ => visitor.unknown(),
        }
    }
}

impl Data for Strict {
    const NAME: &'static str = "Strict";
    const FIELDS: &'static [&'static str] = &["tour"];

    fn visit<V: Visitor>(&self, _: usize, visitor: V) -> V::Output {
        visitor.stored(&self.0)
    }
}

impl Data for Text {
    const NAME: &'static str = "Text";
    const FIELDS: &'static [&'static str] = &["body"];

    fn visit<V: Visitor>(&self, _: usize, visitor: V) -> V::Output {
        visitor.stored(&self.0)
    }
}

impl Data for Video {
    const NAME: &'static str = "Video";
    const FIELDS: &'static [&'static str] = &["seconds"];

    fn visit<V: Visitor>(&self, _: usize, visitor: V) -> V::Output {
        visitor.stored(&self.0)
    }
}

traitql::rows!(Tour);
traitql::rows!(Person);
traitql::rows!(Step);
traitql::rows!(Strict);
traitql::rows!(Text);
traitql::rows!(Video);
traitql::sum!(Content { Text, Video });
traitql::sum!(Node { Tour, Person });
