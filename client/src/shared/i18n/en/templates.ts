/** What a new tour may begin with: examples of good texts, for those who write their own over them. */
import { defineMessages } from '../messages';

interface StepWords {
  readonly title: string;
  readonly body: string;
  readonly nextLabel?: string;
  readonly doneLabel?: string;
}

type Steps = readonly StepWords[];

const english = {
  empty: { name: 'Empty', says: 'Your own, from the first step on.' },
  welcome: { name: 'Welcome', says: 'Greets new people once and shows them around.' },
  welcomeSteps: [
    { title: 'Welcome', body: '**Good to have you here.** Three things, and you know your way around.' },
    { title: 'Begin here', body: 'Say what most people do first, and what they get from it.' },
    { title: 'Find anything', body: 'Point at the search or the menu: the way out when somebody is lost.' },
    {
      title: 'That was it',
      body: 'Say where to find help, for example:\n\n- the [guide](https://example.com/guide)\n- the people behind `?`',
      doneLabel: 'Start',
    },
  ] as Steps,
  feature: { name: 'New feature', says: 'Announces what is new, until somebody has seen it to the end.' },
  featureSteps: [
    { title: 'New: say what it is', body: 'In one sentence: what people **can do now** that they could not before.' },
    { title: 'Try it', body: 'Point at the first thing to press.', doneLabel: 'Got it' },
  ] as Steps,
  task: { name: 'A task, step by step', says: 'Starts when your page asks for it, from a help menu for instance.' },
  taskSteps: [
    { title: 'How to …', body: 'What you need:\n\n1. one thing\n2. another' },
    { title: 'First', body: 'Point at what to press, and say what happens then.' },
    { title: 'Then', body: 'One step of the task for each step of the tour.' },
    { title: 'Done', body: 'Point at the result.' },
  ] as Steps,
  hints: { name: 'Hints', says: 'Beacons on the page, for people to press when they want to know.' },
  hintSteps: [
    { title: 'What it is for', body: 'Say in a sentence what people get from it.' },
    { title: 'Good to know', body: 'Something that is easily overlooked.' },
  ] as Steps,
  handsOn: {
    name: 'Example: an order, hands on',
    says: 'People do it themselves on the demo page: it waits for clicks, pages and events, and asks where to go.',
  },
  handsOnChoices: { order: 'Order something', look: 'Look around' },
  handsOnSteps: [
    { title: 'What brings you here?', body: 'Choose one; the other is a click away.' },
    { title: 'Open your cart', body: 'Press **Cart**: what you chose is there.' },
    { title: 'Place the order', body: 'Nothing is really sold here.' },
    { title: 'Until the order is confirmed', body: '' },
    { title: 'That was it', body: 'Your order is on its way.' },
    { title: 'Find anything', body: 'Type what you are looking for, for example `lamp`.' },
    { title: 'Ask us', body: 'We answer within a day.' },
  ] as Steps,
  example: {
    name: 'Example: the demo shop',
    says: 'A finished tour of the demo page. Press Preview, then change what you like.',
  },
  exampleSteps: [
    { title: 'Welcome to Nordhaus', body: 'Find **furniture that stays**. A short look around?', nextLabel: 'Show me' },
    { title: 'Find anything', body: 'Type what you are looking for, for example `lamp`.' },
    { title: 'Your cart', body: 'What you chose waits here, *also tomorrow*.' },
    { title: 'Your orders', body: 'You see here:\n\n- where each order is\n- what it was' },
    { title: 'Ask us', body: 'We answer within a day.', doneLabel: 'Start shopping' },
  ] as Steps,
};

export type TemplatesTexts = typeof english;
export const t = defineMessages('templates', english);
