/** Ratings of films, jokes and books, and what people buy. */
import type { Case } from "../case.ts";
import { clock, csv, hexadecimal, records, scrambled } from "../invented.ts";

const stars = ({ chance }: { chance: number }): number => 1 + Math.floor(chance * 5);
const price = ({ chance }: { chance: number }): string => (0.5 + chance * 80).toFixed(2);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const MOVIELENS = {
  userId: ({ user }: { user: number }) => 1 + user,
  movieId: ({ group }: { group: number }) => 296 + group,
  rating: stars,
  timestamp: ({ time }: { time: number }) => time / 1000,
};

export const RATINGS_AND_SHOPS: readonly Case[] = [
  {
    name: "ratings of films",
    files: { "ratings.csv": csv(MOVIELENS, { rows: 300, users: 20, groups: 30 }) },
    right: { user: "userId", value: "rating", by: "movieId", slot: null, time: null, dedupe: null },
  },
  {
    name: "ratings of films, tabs, no header",
    files: { "u.data": csv(MOVIELENS, { rows: 300, users: 20, groups: 30 }, { delimiter: "\t", header: false }) },
    right: { user: "column1", value: "column3", by: "column2", slot: null, time: null },
  },
  {
    name: "ratings of films, two colons",
    files: { "ratings.dat": csv(MOVIELENS, {}, { header: false }).replaceAll(",", "::") },
    right: {},
    refused: /::/,
  },
  {
    name: "ratings of jokes, a row for each",
    files: {
      "jester.csv": csv(
        {
          user_id: ({ user }) => user,
          joke_id: ({ group }) => group,
          rating: ({ chance }) => (chance * 20 - 10).toFixed(3),
        },
        { rows: 300, users: 25, groups: 15 },
      ),
    },
    right: { user: "user_id", value: "rating", by: "joke_id" },
  },
  {
    name: "ratings of jokes, a row for each person",
    files: {
      "jester-wide.csv": csv(
        Object.fromEntries([
          ["rated", ({ group }: { group: number }) => 3 + group],
          ...["joke1", "joke2", "joke3", "joke4"].map((joke, at) => [
            joke,
            ({ chance }: { chance: number }) => (((chance * 97 + at * 0.31) % 1) * 20 - 10).toFixed(2),
          ]),
        ]),
        {},
        { header: false },
      ),
    },
    right: { user: null, value: null, by: null },
  },
  {
    name: "reviews as JSON lines",
    files: {
      "reviews.json": records({ rows: 200, users: 18, groups: 25 })
        .map(({ user, group, time, chance }) =>
          JSON.stringify({
            reviewerID: `A${hexadecimal(user).slice(0, 12).toUpperCase()}`,
            asin: `B00${10000 + group}`,
            reviewerName: `Reader ${user}`,
            overall: 1 + Math.floor(chance * 5),
            unixReviewTime: time / 1000,
            reviewTime: clock(time, "MM d, yyyy"),
          }),
        )
        .join("\n"),
    },
    right: { user: "reviewerID", value: "overall", by: "asin" },
  },
  {
    name: "ratings of books, Latin-1",
    files: {
      "books.csv": latin1(
        csv(
          {
            "User-ID": ({ user }) => 276725 + user,
            ISBN: ({ group }) => `03451${10000 + group}X`,
            Titel: ({ group }) => `Das Gl\u00fcck der gro\u00dfen B\u00fccher ${group}`,
            "Book-Rating": ({ chance }) => Math.floor(chance * 11),
          },
          { rows: 200, groups: 20 },
          { delimiter: ";" },
        ),
      ),
    },
    right: { user: "User-ID", value: "Book-Rating", by: "ISBN" },
  },
  {
    name: "invoices of a shop, rows of one invoice alike in all but the price",
    files: {
      "online_retail.csv": csv(
        {
          InvoiceNo: ({ at }) => 536365 + (at >> 2),
          StockCode: ({ group }) => `8512${group}A`,
          Description: ({ group }) => `HOLDER ${group}`,
          Quantity: ({ chance }) => 1 + Math.floor(chance * 12),
          InvoiceDate: ({ at }) => clock(Date.UTC(2010, 11, 1, 8, 26) + (at >> 2) * 5_400_000, "M/d/yyyy H:mm"),
          UnitPrice: price,
          CustomerID: ({ at }) => 17850 + ((at >> 2) % 9),
          Country: () => "United Kingdom",
        },
        { rows: 400, groups: 40 },
      ),
    },
    right: { user: "CustomerID", value: "UnitPrice", by: ["StockCode", "Description"], dedupe: null },
  },
  {
    name: "spending by card and shop, days alone",
    files: {
      "card_transactions.csv": csv(
        {
          card: ({ user }) => scrambled(user, 12),
          date: ({ time }) => clock(time, "yyyy-MM-dd"),
          merchant: ({ group }) => `Shop ${group}`,
          amount: price,
        },
        { rows: 3000, users: 20, groups: 8, stepSeconds: 60 },
      ),
    },
    right: { user: "card", value: "amount", by: "merchant", dedupe: null, slot: null },
  },
  {
    name: "German card file: semicolons, decimal commas, euro signs",
    files: {
      "umsaetze.csv": csv(
        {
          Kartennummer: ({ user }) => scrambled(user, 10),
          Buchungstag: ({ time }) => clock(time, "dd.MM.yyyy"),
          Filiale: ({ group }) => `Filiale ${group}`,
          Betrag: (record) => `${price(record).replace(".", ",")} \u20ac`,
        },
        { rows: 200 },
        { delimiter: ";" },
      ),
    },
    right: { user: "Kartennummer", value: "Betrag", by: "Filiale", dedupe: null },
  },
  {
    name: "dollars with thousands",
    files: {
      "spending.csv": csv(
        {
          "Account Number": ({ user }) => scrambled(user, 9),
          Store: ({ group }) => `Store ${group}`,
          Amount: ({ chance, at }) =>
            `$${(at % 3 === 0 ? 1000 + chance * 5000 : chance * 900).toFixed(2).replace(/(\d)(?=\d{3}\.)/, "$1,")}`,
        },
        { rows: 200 },
      ),
    },
    right: { user: "Account Number", value: "Amount", by: "Store" },
  },
  {
    name: "thousands or decimals: 1,234",
    files: {
      "ambiguous.csv": csv(
        {
          client_id: ({ user }) => scrambled(user),
          branch: ({ group }) => `Branch ${group}`,
          balance: ({ chance }) => `${1 + Math.floor(chance * 9)},${100 + Math.floor(chance * 899)}`,
        },
        { rows: 200 },
        { delimiter: ";" },
      ),
    },
    right: { user: "client_id", value: "balance", by: "branch" },
    says: /balance.*(thousand|decimal)|(thousand|decimal).*balance/is,
  },
  {
    name: "groceries, an order in several rows",
    files: {
      "orders.csv": csv(
        {
          order_id: ({ at }) => 2_539_329 + (at >> 3),
          user_id: ({ at }) => 1 + ((at >> 3) % 14),
          product_id: ({ group, at }) => 196 + group + 40 * (at & 7),
          department: ({ group }) => ["dairy", "produce", "bakery", "snacks"][group % 4]!,
          unit_price: price,
        },
        { rows: 400, groups: 40 },
      ),
    },
    right: { user: "user_id", value: "unit_price", by: ["product_id", "department"] },
  },
  {
    name: "Spanish shop with customers and tickets",
    files: {
      "ventas.csv": csv(
        {
          Ticket: ({ at }) => 88_000 + at,
          "Id Cliente": ({ user }) => scrambled(user),
          Tienda: ({ group }) => `Tienda ${group}`,
          Fecha: ({ time }) => clock(time, "dd/MM/yyyy"),
          Importe: (record) => price(record).replace(".", ","),
        },
        { rows: 250 },
        { delimiter: ";" },
      ),
    },
    right: { user: "Id Cliente", value: "Importe", by: "Tienda" },
  },
  {
    name: "hotel guests, customers who come once",
    files: {
      "stays.csv": csv(
        {
          booking_id: ({ at }) => scrambled(at, 9),
          guest_id: ({ at }) => scrambled(7000 + at, 8),
          hotel: ({ group }) => `Hotel ${group}`,
          rate: price,
        },
        { rows: 150 },
      ),
    },
    right: { user: null, value: "rate", by: "hotel" },
    fills: { user: "guest_id" },
    says: /'guest_id' differs in every row/,
    adds: "--one-record-per-user",
  },
];
