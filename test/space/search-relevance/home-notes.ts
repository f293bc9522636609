/** Notes of a household: recipes, travels, plans. */
import type { Note } from './corpus.ts'

export const HOME_NOTES: readonly Note[] = [
  {
    title: 'Goulash',
    daysOld: 300,
    markdown: `For six people: 1 kg of beef shin, 4 onions, 3 tablespoons of sweet paprika, caraway, garlic, 2 peppers, 1 tomato, potatoes.

1. Fry the onions slowly until they are golden.
2. Take the pot off the heat before the paprika goes in, or it turns bitter.
3. Add the meat and simmer for two hours.
4. Potatoes for the last half hour.`,
  },
  {
    title: 'Sourdough bread',
    daysOld: 160,
    markdown: `Feed the starter the evening before. Mix 500 g of flour, 350 g of water and 100 g of starter; after an hour add 10 g of salt.

Fold every half hour, four times. Let the dough rise overnight in the fridge.

Bake in a hot pot: 20 minutes with the lid at 250 degrees, 25 minutes without at 220.`,
  },
  {
    title: 'Red lentil soup',
    daysOld: 50,
    markdown: `A vegan soup that is ready in half an hour. Fry onion, ginger and cumin, add 250 g of red lentils, a can of tomatoes and a litre of water. Cook for 20 minutes and blend. Lemon juice at the end.

Keeps three days in the fridge and freezes well.`,
  },
  {
    title: 'Pancakes',
    daysOld: 280,
    markdown: `200 g of flour, 2 eggs, 400 ml of milk, a pinch of salt. Whisk, rest for 20 minutes, and fry thin in butter.

Gluten-free: half buckwheat, half rice flour. With cottage cheese, jam, or cocoa and sugar.`,
  },
  {
    title: 'Weekly menu',
    daysOld: 4,
    markdown: `- Monday: lentil soup
- Tuesday: pancakes
- Wednesday: pasta with tomatoes
- Thursday: goulash from the freezer
- Friday: fish with potatoes

Shopping: flour, eggs, milk, lemons, bread.`,
  },
  {
    title: 'Five days in Lisbon',
    daysOld: 170,
    markdown: `# Getting there
Metro from the airport, 25 minutes. Buy a transport card for trams and ferries.

# To see
Alfama in the early morning, the tower of Belém, the tile museum. Day trip by train to Sintra: book the palace beforehand.

# To eat
Grilled sardines, custard tarts, and codfish in every form.`,
  },
  {
    title: 'Kyoto in autumn',
    daysOld: 365,
    markdown: `The maple leaves are at their best in the second half of November. Temples open at eight; be at Tofuku-ji before the crowds.

We slept in a ryokan near the river. Buses are full, bicycles are better. From Osaka airport the express train takes 75 minutes.`,
  },
  {
    title: 'Ring road around Iceland',
    daysOld: 110,
    markdown: `Ten days by camper van, 1,400 km. Waterfalls in the south, glacier lagoon in the east, whales in the north.

Gravel roads need insurance against stones. Petrol stations are far apart in the east. Weather changes within minutes, so pack rain clothes. Hot springs everywhere, the best ones without a sign.`,
  },
  {
    title: 'Packing list for hiking',
    daysOld: 130,
    markdown: `- [ ] Boots, broken in
- [ ] Rain jacket and warm layer
- [ ] Two litres of water
- [ ] Map, compass, headlamp
- [ ] First aid kit and blister plasters
- [ ] Tent, sleeping bag and stove for more than one day`,
  },
  {
    title: 'Vegetable garden plan',
    daysOld: 240,
    markdown: `# Bed 1
Tomatoes and basil. Tomatoes move every year, so that diseases do not stay in the soil.

# Bed 2
Beans, then lettuce in August.

# Bed 3
Potatoes; plant in April, harvest in July.

Water in the morning. Compost in October.`,
  },
  {
    title: 'Marathon training',
    daysOld: 25,
    markdown: `Sixteen weeks until the race in April. Four runs a week:

- Tuesday: intervals, 6 times 800 metres
- Thursday: tempo run of 10 km
- Saturday: easy jog
- Sunday: long run, from 16 up to 34 km

Every fourth week is a rest week. Eat carbohydrates two days before.`,
  },
  {
    title: 'Books to read',
    daysOld: 35,
    markdown: `- The Master and Margarita
- A Pattern Language
- Thinking, Fast and Slow
- The Design of Everyday Things
- Structure and Interpretation of Computer Programs

Finished: The Left Hand of Darkness (wonderful), Moby-Dick (long).`,
  },
  {
    title: 'Renovating the bathroom',
    daysOld: 90,
    markdown: `Quotes from two plumbers: 8,400 and 9,100 euros. Tiles are not included.

The leak under the shower has damaged the floor; the insurance pays for half. Work takes three weeks, and the water is off for two days.

Invoice and warranty are in the blue folder.`,
  },
  {
    title: 'Car maintenance log',
    daysOld: 60,
    markdown: `| Date | Kilometres | Work |
| --- | --- | --- |
| May | 84,200 | Oil change, new filter |
| August | 88,900 | Brake pads |
| September | 90,100 | Winter tyres ordered |

Next inspection in March. Insurance renews on 1 January.`,
  },
]
