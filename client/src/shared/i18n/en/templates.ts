import { defineMessages } from '../messages';

interface StepTexts {
  readonly title: string;
  readonly body: string;
  readonly nextLabel?: string;
  readonly doneLabel?: string;
}

type Steps = readonly StepTexts[];

const english = {
  empty: { name: 'Blank', description: 'Start from scratch.' },
  welcome: { name: 'Welcome', description: 'Greets new visitors once and shows them around.' },
  welcomeSteps: [
    { title: 'Welcome', body: '**Good to have you here.** Three quick tips to help you find your way around.' },
    { title: 'Start here', body: 'Describe what most people do first, and what they get out of it.' },
    {
      title: 'Find anything',
      body: 'Point to search or the menu, so that people know where to look when they get lost.',
    },
    {
      title: 'You’re all set',
      body: 'Say where to find help, for example:\n\n- the [guide](https://example.com/guide)\n- the support team behind `?`',
      doneLabel: 'Get started',
    },
  ] as Steps,
  feature: { name: 'New feature', description: 'Announces what’s new until a visitor completes the tour.' },
  featureSteps: [
    {
      title: 'New: name the feature',
      body: 'In one sentence: what people **can do now** that they couldn’t do before.',
    },
    { title: 'Try it', body: 'Point to the first thing to click.', doneLabel: 'Got it' },
  ] as Steps,
  task: { name: 'Step-by-step task', description: 'Starts when your code starts it, for example from a help menu.' },
  taskSteps: [
    { title: 'How to …', body: 'What you need:\n\n1. first item\n2. second item' },
    { title: 'First', body: 'Point to what to click, and say what happens next.' },
    { title: 'Then', body: 'Use one tour step for each step of the task.' },
    { title: 'Done', body: 'Point to the result.' },
  ] as Steps,
  hotspots: { name: 'Hotspots', description: 'Beacons on the page that visitors open when they want to know more.' },
  hotspotSteps: [
    { title: 'What this is for', body: 'Describe in one sentence how it helps.' },
    { title: 'Good to know', body: 'Mention something that’s easy to miss.' },
  ] as Steps,
  handsOn: {
    name: 'Example: hands-on order',
    description: 'Visitors try it themselves on the demo page. Shows clicks, pages, events, and branches.',
  },
  handsOnChoices: { order: 'Place an order', look: 'Look around' },
  handsOnSteps: [
    { title: 'What brings you here?', body: 'Pick one. You can come back to the other.' },
    { title: 'Open your cart', body: 'Click **Cart** to see the items you added.' },
    { title: 'Place your order', body: 'This is a demo. Nothing is really sold.' },
    { title: 'Until the order is confirmed', body: '' },
    { title: 'All done', body: 'Your order is on its way.' },
    { title: 'Find anything', body: 'Type what you’re looking for, for example `lamp`.' },
    { title: 'Ask us', body: 'We reply within a day.' },
  ] as Steps,
  example: {
    name: 'Example: the demo shop',
    description: 'A complete tour of the demo page. Click Preview, then change anything you like.',
  },
  exampleSteps: [
    {
      title: 'Welcome to Nordhaus',
      body: 'Discover **furniture that lasts**. Want a quick look around?',
      nextLabel: 'Show me',
    },
    { title: 'Find anything', body: 'Type what you’re looking for, for example `lamp`.' },
    { title: 'Your cart', body: 'Items you add stay here, *even tomorrow*.' },
    { title: 'Your orders', body: 'Here you can see:\n\n- where each order is\n- what you ordered' },
    { title: 'Ask us', body: 'We reply within a day.', doneLabel: 'Start shopping' },
  ] as Steps,
};

export type TemplatesTexts = typeof english;
export const t = defineMessages('templates', english);
