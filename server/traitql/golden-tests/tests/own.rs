#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use serde_json::{Map, Value, json};
use traitql::{AdHoc, Batch, Ctx, CtxParts, Engine, Limits, RateLimits, Violation};
use traitql_golden::{
    Color, Condition, Cover, Display, Goods, Note, Offer, Priced, Resolvers, SDL, SearchInput, State, Voucher, args,
    bind, engine,
    mock::Mock,
    shop::{Label, Money, OfferRow, Wear},
    transition,
};

fn offer(number: u32, wear: Wear) -> Arc<OfferRow> {
    let old = Label {
        text: "old",
        over: Vec::new(),
    };
    Arc::new(OfferRow {
        number,
        cents: 2050,
        wear,
        stickers: vec![Label {
            text: "sale",
            over: vec![old],
        }],
    })
}

fn voucher() -> Arc<Voucher> {
    Arc::new(Voucher {
        price: Money { cents: 500 },
    })
}

async fn execute(mock: Mock, text: &str) -> Value {
    let engine = engine(&Resolvers::new(Arc::new(mock)), Arc::new(RateLimits::default()));
    let documents = AdHoc::new(SDL, Limits::default()).unwrap();
    let document = documents.check(text, None).unwrap();
    let cx: Ctx = CtxParts::default().into();
    let response = engine.execute(&cx, &document, Map::new()).await;
    serde_json::from_slice(&response.body).unwrap()
}

#[tokio::test]
async fn bound_types_provide_data_and_are_passed_to_resolvers() {
    let mock = Mock::default()
        .query_offers(|_, condition, up_to| {
            assert_eq!((condition, up_to), (Some(Wear::None), Money { cents: 9999 }));
            Ok(vec![offer(1, Wear::Some), offer(2, Wear::Much)])
        })
        .offer_similar(|_, offers: Batch<'_, Arc<Offer>>| {
            assert_eq!(offers.keys(|offer| offer.number), [1, 2]);
            Ok(offers.map_many(|like| Ok(vec![offer(like.number + 10, Wear::None)])))
        });
    let response = execute(
        mock,
        "{ offers { __typename id price condition stickers { text covered { text covered { text } } } similar { id price } } }",
    )
    .await;
    let stickers = json!([{ "text": "sale", "covered": [{ "text": "old", "covered": null }] }]);
    assert_eq!(
        response,
        json!({ "data": { "offers": [
            { "__typename": "Offer", "id": "o1", "price": "10.25", "condition": "WORN", "stickers": stickers,
              "similar": [{ "id": "o11", "price": "20.50" }] },
            { "__typename": "Offer", "id": "o2", "price": "0.00", "condition": "DAMAGED", "stickers": stickers,
              "similar": [{ "id": "o12", "price": "20.50" }] },
        ] } })
    );
}

/// A shared `Offer` is passed without a copy.
#[tokio::test]
async fn a_shared_value_is_never_copied() {
    let cached = offer(1, Wear::None);
    let (returned, expected) = (Arc::clone(&cached), Arc::clone(&cached));
    let mock = Mock::default()
        .query_offers(move |_, _, _| Ok(vec![Arc::clone(&returned), Arc::clone(&returned)]))
        .offer_similar(move |_, offers: Batch<'_, Arc<Offer>>| {
            assert!(offers.iter().all(|offer| Arc::ptr_eq(offer, &expected)));
            Ok(offers.map_many(|offer| Ok(vec![Arc::clone(offer)])))
        });
    let response = execute(mock, "{ offers { id similar { id } } }").await;
    let each = json!({ "id": "o1", "similar": [{ "id": "o1" }] });
    assert_eq!(response["data"]["offers"], json!([each, each]));
    assert_eq!(
        Arc::strong_count(&cached),
        1,
        "a finished response must not keep a reference"
    );
}

#[tokio::test]
async fn bound_and_generated_types_can_be_members_of_the_same_interface_and_union() {
    let mock = Mock::default()
        .query_priced(|_, conditions| {
            assert_eq!(conditions, [Wear::None, Wear::Some]);
            let priced = vec![Priced::from(offer(1, Wear::None)), voucher().into()];
            let prices: Vec<Money> = priced.iter().map(Priced::price).collect();
            assert_eq!(prices, [Money { cents: 2050 }, Money { cents: 500 }]);
            Ok(priced)
        })
        .query_goods(|_| {
            Ok(vec![
                Some(Goods::from(voucher())),
                None,
                Some(offer(3, Wear::None).into()),
            ])
        });
    let response = execute(
        mock,
        "{ priced { price ... on Offer { id } } goods { __typename ... on Offer { condition } } }",
    )
    .await;
    assert_eq!(
        response["data"],
        json!({
            "priced": [{ "price": "20.50", "id": "o1" }, { "price": "5.00" }],
            "goods": [{ "__typename": "Voucher" }, null, { "__typename": "Offer", "condition": "NEW" }],
        })
    );
}

#[tokio::test]
async fn the_configuration_can_change_the_source_of_a_field() {
    let display = |name: &str, best| Display {
        name: name.to_owned(),
        best,
        voucher: voucher(),
    };
    let displays = vec![display("left", Some(offer(7, Wear::None))), display("right", None)];
    let mock = Mock::default()
        .query_displays(move |_| Ok(displays.clone()))
        .display_visitors(|_, displays| Ok(displays.map(|display| Ok(display.name.len() as i32))))
        .offer_seller(|_, offers| {
            // Fields of data objects are resolved like those of other objects.
            assert_eq!(offers.len(), 1);
            Ok(offers.map_opt(|_| Ok(None)))
        });
    let response = execute(
        mock,
        "{ displays { name visitors best { id seller { id } stickers { clone } } voucher { price } } }",
    )
    .await;
    assert_eq!(
        response["data"]["displays"],
        json!([
            { "name": "left", "visitors": 4, "best": { "id": "o7", "seller": null, "stickers": [{ "clone": false }] }, "voucher": { "price": "5.00" } },
            { "name": "right", "visitors": 5, "best": null, "voucher": { "price": "5.00" } },
        ])
    );
}

#[test]
fn bound_types_report_the_same_violations_as_generated_ones() {
    let read = |given: Value| traitql::read::<args::QueryOffers>(&given);
    let messages = |violations: Vec<Violation>| -> Vec<String> {
        let lines = violations
            .into_iter()
            .map(|found| format!("{}: {}", found.path, found.problem));
        lines.collect()
    };
    let args = read(json!({ "condition": "DAMAGED", "upTo": "0.05" })).unwrap();
    assert_eq!((args.condition, args.up_to), (Some(Wear::Much), Money { cents: 5 }));
    assert_eq!(read(json!({ "condition": null })).unwrap().condition, None);
    assert_eq!(
        messages(read(json!({ "condition": "MUCH", "upTo": 5 })).unwrap_err()),
        [
            "condition: must be one of NEW, WORN, DAMAGED",
            "upTo: must be an amount such as 12.50",
        ]
    );
}

#[test]
fn bound_enums_support_transitions() {
    assert_eq!(transition::OFFER_WEAR.apply(Wear::None), Ok(Wear::Some));
    assert!(transition::OFFER_WEAR.apply(Wear::Much).is_err());
    let all: Vec<&str> = bind::value::Condition::ALL
        .iter()
        .map(|value| value.as_graphql())
        .collect();
    assert_eq!(all, ["NEW", "WORN", "DAMAGED"]);
    let of = <Condition as bind::Condition>::of;
    assert_eq!(
        bind::value::Condition::ALL
            .iter()
            .map(|value| of(*value))
            .collect::<Vec<_>>(),
        [Wear::None, Wear::Some, Wear::Much]
    );
}

#[test]
#[should_panic = "the `impl bind::Condition` has a constant for the value `WORN` whose `value()` is `NEW`"]
fn inconsistent_conversions_of_a_bound_enum_panic() {
    traitql::__private::is_value(
        "bind::Condition",
        "WORN",
        bind::Condition::value(Wear::None).as_graphql(),
    );
}

#[test]
fn serde_derives_use_the_names_of_the_schema() {
    let note = Note {
        text: "a".to_owned(),
        answers: None,
    };
    assert_eq!(
        serde_json::to_value(note).unwrap(),
        json!({ "text": "a", "answers": null })
    );
    let cover = Cover::from(Color { r#type: 7 });
    assert_eq!(
        serde_json::to_value(cover).unwrap(),
        json!({ "__typename": "Color", "type": 7 })
    );

    let given = json!({ "filter": { "title": null, "not": { "any": [{ "title": "x" }] } } });
    let read: SearchInput = serde_json::from_value(given.clone()).unwrap();
    assert_eq!(traitql::read::<SearchInput>(&given), Ok(read.clone()));
    assert_eq!(
        serde_json::to_value(read).unwrap(),
        given,
        "absent fields must be omitted"
    );
    let state: SearchInput = serde_json::from_value(json!({ "state": "WITHDRAWN" })).unwrap();
    assert_eq!(state, SearchInput::State(State::Withdrawn));
}
