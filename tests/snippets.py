"""Short texts of every content type: the kind, the programming language, and the text.

Every second one is held out: rules are made by looking at the others only.
"""

from __future__ import annotations

_SOURCE = r'''
=== code rust
fn longest<'a>(x: &'a str, y: &'a str) -> &'a str {
    if x.len() > y.len() { x } else { y }
}
=== code rust
use std::collections::HashMap;

#[derive(Debug, Clone)]
pub struct Cart {
    items: HashMap<String, u32>,
}

impl Cart {
    pub fn total(&self) -> u32 {
        self.items.values().sum()
    }
}
=== code ruby
class Invoice
  attr_reader :lines

  def total
    lines.map { |line| line.price * line.amount }.sum
  end
end
=== code ruby
require "json"

File.readlines("orders.txt").each do |row|
  id, name = row.chomp.split(";")
  puts "#{id}: #{name}" unless name.nil?
end
=== config toml
[tool.poetry]
name = "parcel"
version = "0.3.1"

[tool.poetry.dependencies]
python = "^3.11"
httpx = { version = "0.27", extras = ["http2"] }
=== config toml
title = "Fleet"
owner.name = "Mei Lin"

[servers.alpha]
ip = "10.0.0.1"
roles = ["front", "cache"]
=== code go
package main

import "fmt"

func main() {
	for i := 0; i < 3; i++ {
		fmt.Println("round", i)
	}
}
=== code go
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	value, ok := s.items[key]
	if !ok {
		return nil, ErrNotFound
	}
	return value, nil
}
=== code sql
SELECT c.name, SUM(o.total) AS spent
FROM customers c
JOIN orders o ON o.customer_id = c.id
WHERE o.created_at >= '2025-01-01'
GROUP BY c.name
ORDER BY spent DESC;
=== code sql
CREATE TABLE parcels (
    id BIGSERIAL PRIMARY KEY,
    weight NUMERIC(8, 2) NOT NULL,
    sent_at TIMESTAMPTZ DEFAULT now()
);
=== code kotlin
data class Point(val x: Int, val y: Int)

fun distance(a: Point, b: Point): Double {
    val dx = (a.x - b.x).toDouble()
    return sqrt(dx * dx)
}
=== code kotlin
suspend fun load(id: String): User? = withContext(Dispatchers.IO) {
    api.fetch(id)?.let { User(it.name, it.age) }
}
=== code php
<?php
namespace App\Http;

class Kernel {
    public function handle(array $request): string {
        return htmlspecialchars($request['name'] ?? 'guest');
    }
}
=== code php
<?php foreach ($items as $key => $item) {
    echo $key . ': ' . $item->title . "\n";
}
=== code lua
local M = {}

function M.greet(name)
  if name == nil then name = "world" end
  print("hello " .. name)
end

return M
=== code lua
for i = 1, #queue do
  local job = table.remove(queue, 1)
  if job ~= nil then job:run() end
end
=== code haskell
module Main where

import qualified Data.Map as M

count :: String -> M.Map Char Int
count = foldr (\c -> M.insertWith (+) c 1) M.empty
=== code haskell
data Tree a = Leaf | Node (Tree a) a (Tree a)

insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r)
  | x < y = Node (insert x l) y r
  | otherwise = t
=== code python
def moving_average(values, size):
    window = []
    for value in values:
        window.append(value)
        if len(window) > size:
            window.pop(0)
        yield sum(window) / len(window)
=== code python
# 读取订单并统计每位客户的金额
import pandas as pd

df = pd.read_csv("orders.csv")  # 原始数据
total = df.groupby("customer")["amount"].sum()
print(total.head())
=== code python
x = np.linspace(0, 1, 50)
plt.plot(x, np.sin(x))
plt.show()
=== code python
@app.get("/health")
async def health() -> dict[str, str]:
    """Say that all is well.

    The load balancer asks for this every ten seconds and takes the node out when it fails.
    """
    return {"status": "ok"}
=== code javascript
const debounce = (fn, wait) => {
  let timer = null;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), wait);
  };
};
=== code javascript
document.querySelectorAll('.item').forEach(el => {
  el.addEventListener('click', async () => {
    const res = await fetch(`/api/items/${el.dataset.id}`);
    console.log(await res.json());
  });
});
=== code typescript
export interface Page<T> {
  items: T[];
  next?: string;
}

export async function all<T>(first: Page<T>): Promise<T[]> {
  return first.items;
}
=== code typescript
type Handler = (event: CustomEvent<string>) => void;
const handlers: Record<string, Handler[]> = {};
enum Level { Low = 1, High }
=== code java
public class Counter {
    private final AtomicInteger value = new AtomicInteger();

    public int next() {
        return value.incrementAndGet();
    }
}
=== code java
List<String> names = people.stream()
    .filter(p -> p.getAge() > 18)
    .map(Person::getName)
    .collect(Collectors.toList());
=== code c
#include <stdio.h>

int main(void) {
    char name[32];
    scanf("%31s", name);
    printf("hello %s\n", name);
    return 0;
}
=== code c
static void list_free(struct node *head)
{
	while (head) {
		struct node *next = head->next;
		free(head);
		head = next;
	}
}
=== code cpp
#include <vector>
template <typename T>
T sum(const std::vector<T>& xs) {
    T total{};
    for (const auto& x : xs) total += x;
    return total;
}
=== code cpp
std::unique_ptr<Shape> make(const std::string& kind) {
    if (kind == "circle") return std::make_unique<Circle>();
    throw std::invalid_argument("unknown kind: " + kind);
}
=== code csharp
using System.Linq;

namespace Shop
{
    public record Order(int Id, decimal Total);
    public static class Totals
    {
        public static decimal Of(IEnumerable<Order> orders) => orders.Sum(o => o.Total);
    }
}
=== code csharp
public async Task<IActionResult> Get(Guid id)
{
    var order = await _db.Orders.FindAsync(id);
    return order is null ? NotFound() : Ok(order);
}
=== code swift
struct Card: Codable {
    let id: UUID
    var title: String

    mutating func rename(to name: String) {
        guard !name.isEmpty else { return }
        title = name
    }
}
=== code swift
let task = URLSession.shared.dataTask(with: url) { data, _, error in
    if let error = error { print(error.localizedDescription) }
    guard let data = data else { return }
}
=== code css
.card {
  display: flex;
  padding: 0.5rem 1rem;
  border: 1px solid #ddd;
}
.card:hover { background: #fafafa; }
=== code css
@media (max-width: 600px) {
  nav ul { flex-direction: column; }
  body { font-size: 14px; margin: 0 auto; }
}
=== code scala
object Main extends App {
  val xs = List(1, 2, 3)
  def twice(n: Int): Int = n * 2
  println(xs.map(twice).sum)
}
=== code r
library(dplyr)
orders <- read.csv("orders.csv")
summary <- orders %>%
  group_by(city) %>%
  summarise(total = sum(amount, na.rm = TRUE))
=== code perl
use strict;
use warnings;
my %seen;
while (my $line = <STDIN>) {
    chomp $line;
    next if $seen{$line}++;
    print "$line\n";
}
=== code elixir
defmodule Parcel do
  def weigh(%{kg: kg}) when kg > 30, do: {:error, :too_heavy}
  def weigh(%{kg: kg}), do: {:ok, kg}
end
=== code dart
class Badge extends StatelessWidget {
  const Badge({super.key, required this.label});
  final String label;

  @override
  Widget build(BuildContext context) => Text(label);
}
=== code dockerfile
FROM python:3.12-slim
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
CMD ["uvicorn", "app:main", "--host", "0.0.0.0"]
=== json -
{"order_id": "A-1029", "items": [{"sku": "LW-4", "qty": 2}], "paid": true, "note": null}
=== json -
[
  {"城市": "上海", "温度": 31.5},
  {"城市": "哈尔滨", "温度": 18}
]
=== json -
{"level": "info", "msg": "started"}
{"level": "warn", "msg": "slow query", "ms": 1830}
{"level": "info", "msg": "stopped"}
=== json -
{
  "status": "error",
  "results": [
    {"id": 1, "title": "First result", "score": 0.91},
    {"id": 2, "title": "Second result", "sco
=== yaml -
version: "3.9"
services:
  web:
    image: nginx:1.27
    ports:
      - "8080:80"
    depends_on: [db]
=== yaml -
name: CI
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make test
=== yaml -
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  LOG_LEVEL: debug
=== yaml -
- 名称: 张伟
  城市: 北京
  爱好: [足球, 摄影]
- 名称: 李娜
  城市: 成都
=== config ini
[database]
host = localhost
port = 5432

; keep this short
[cache]
ttl=300
=== config env
DATABASE_URL=postgres://app:secret@db/app
REDIS_HOST=cache
DEBUG=false
MAX_WORKERS=8
=== xml -
<?xml version="1.0" encoding="UTF-8"?>
<note id="7">
  <to>Mei</to>
  <body>Bring the keys.</body>
</note>
=== xml -
<div class="card">
  <h2>Orders</h2>
  <p>You have <b>3</b> open orders.</p>
  <a href="/orders">See all</a>
</div>
=== xml -
<!DOCTYPE html>
<html lang="zh">
<head><title>首页</title></head>
<body><p>欢迎光临，今天全场八折。</p></body>
</html>
=== xml -
<project><modelVersion>4.0.0</modelVersion><artifactId>demo</artifactId></project>
=== csv -
id,name,price
1,pen,0.50
2,paper,3.20
=== csv -
date;open;close
2025-03-01;101.2;99.8
2025-03-02;99.8;103.4
2025-03-03;103.4;102.0
=== csv -
姓名,部门,工资
王芳,财务部,12000
刘洋,研发部,18000
=== csv -
name	age	city
Ada	36	London
Lin	41	Taipei
=== csv -
"Smith, John","12 High Street, Leeds",2021-04-05,17.50
"Doe, Jane","4 Mill Lane, York",2021-04-06,9.99
=== csv -
x,y
1,2
=== table -
| Model | Window | Price |
|-------|-------:|------:|
| small | 8k     | 0.10  |
| large | 128k   | 2.50  |
=== table -
+----+---------+
| id | name    |
+----+---------+
|  1 | Beijing |
|  2 | Oslo    |
+----+---------+
=== table -
NAME                     READY   STATUS    RESTARTS   AGE
web-7c9d5b7b5d-2x8qk     1/1     Running   0          3d4h
worker-5f6d8c9c4-lm2zp   0/1     Error     7          12m
=== table -
| 城市 | 人口（万） |
| --- | --- |
| 上海 | 2487 |
| 深圳 | 1768 |
=== markdown -
# Setup

1. Clone the repository.
2. Run `make install`.
3. Open **http://localhost:8000** in a browser.

> The first start takes a minute.
=== markdown -
## 使用说明

- 点击右上角的 **设置**
- 选择 *语言*
- 保存后刷新页面

更多内容见 [文档](https://example.com/docs)。
=== markdown -
### Pros
* Fast to set up
* No account needed

### Cons
* Only runs on Linux
* Documentation is thin
=== markdown -
**Summary**

- [x] write the parser
- [ ] test it on real files
- [ ] publish

---
See also [the plan](plan.md).
=== log -
[2025-06-01 12:00:03] server started on port 8080
[2025-06-01 12:00:09] GET /health 200 3ms
[2025-06-01 12:00:19] GET /orders 500 41ms
=== log -
2025-06-01T12:00:03.120Z INFO  [main] app.Server - listening
2025-06-01T12:00:04.881Z WARN  [pool-1] app.Db - slow query took 1830 ms
2025-06-01T12:00:05.002Z ERROR [pool-1] app.Db - connection lost
=== log -
[12:01:44] [INFO] loading model
[12:01:51] [INFO] model loaded in 6.8 s
[12:01:52] [WARNING] GPU memory nearly full
=== log -
Jun  3 08:12:55 gate sshd[2212]: Failed password for root from 203.0.113.9 port 52144 ssh2
Jun  3 08:12:57 gate sshd[2212]: Connection closed by 203.0.113.9 port 52144
=== log -
203.0.113.7 - - [03/Jun/2025:08:15:01 +0000] "GET /index.html HTTP/1.1" 200 1043
203.0.113.7 - - [03/Jun/2025:08:15:02 +0000] "GET /logo.png HTTP/1.1" 304 0
=== log -
INFO:root:reading config
WARNING:root:no cache found
ERROR:worker:job 17 failed after 3 tries
=== log -
2025/06/01 12:00:03 [错误] 支付服务连接超时，正在重试（第 2 次）
2025/06/01 12:00:08 [信息] 支付服务已恢复
=== log -
I0603 08:11:02.120331    4120 server.go:88] Serving on :9090
E0603 08:11:09.551200    4120 watcher.go:41] watch closed: EOF
=== diff -
diff --git a/app.py b/app.py
index 3b18e51..a9c2f04 100644
--- a/app.py
+++ b/app.py
@@ -1,3 +1,3 @@
 import os
-debug = True
+debug = os.environ.get("DEBUG") == "1"
=== diff -
--- old.txt	2025-01-01
+++ new.txt	2025-01-02
@@ -4,2 +4,3 @@
 unchanged
+added line
=== diff -
@@ -10,6 +10,7 @@ func main() {
     a := load()
-    b := parse(a)
+    b, err := parse(a)
+    check(err)
=== diff -
*** Begin Patch
*** Update File: src/main.ts
@@
-const port = 80;
+const port = 8080;
*** End Patch
=== stack trace python
Traceback (most recent call last):
  File "/srv/app/main.py", line 41, in <module>
    run(load(path))
  File "/srv/app/main.py", line 17, in load
    return json.load(handle)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
=== stack trace java
Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Cart.total()"
	at com.shop.Checkout.pay(Checkout.java:52)
	at com.shop.Main.main(Main.java:14)
Caused by: java.io.IOException: closed
	... 2 more
=== stack trace javascript
TypeError: Cannot read properties of undefined (reading 'name')
    at render (/app/src/view.js:12:19)
    at Object.<anonymous> (/app/src/index.js:4:1)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
=== stack trace go
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(...)
	/home/dev/main.go:9
main.main()
	/home/dev/main.go:14 +0x1d
exit status 2
=== stack trace rust
thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/main.rs:7:24
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b4312/library/std/src/panicking.rs:593:5
   1: core::panicking::panic_fmt
=== stack trace csharp
Unhandled exception. System.InvalidOperationException: Sequence contains no elements
   at System.Linq.ThrowHelper.ThrowNoElementsException()
   at Shop.Program.Main(String[] args) in /src/Program.cs:line 12
=== stack trace ruby
app.rb:7:in `fetch': key not found: :total (KeyError)
	from app.rb:7:in `price'
	from app.rb:12:in `<main>'
=== stack trace php
PHP Fatal error:  Uncaught TypeError: add(): Argument #1 must be of type int in /var/www/a.php:3
Stack trace:
#0 /var/www/a.php(9): add('x', 2)
#1 {main}
  thrown in /var/www/a.php on line 3
=== shell -
$ git checkout -b fix/login
$ npm install && npm test
$ git push -u origin fix/login
=== shell -
sudo apt-get update
sudo apt-get install -y nginx
sudo systemctl enable --now nginx
=== shell -
#!/usr/bin/env bash
set -euo pipefail
for file in "$@"; do
  if [[ -f "$file" ]]; then
    gzip -9 "$file"
  fi
done
=== shell -
curl -X POST https://api.example.com/v1/orders \
  -H "Authorization: Bearer $TOKEN" \
  -d '{"sku": "LW-4"}'
=== shell -
PS C:\Users\mei> Get-ChildItem -Recurse -Filter *.log | Remove-Item
PS C:\Users\mei> docker compose up -d
=== shell -
pip install -U torch torchvision
python train.py --epochs 10 --lr 3e-4 > train.log 2>&1 &
tail -f train.log | grep loss
=== url -
https://example.com/search?q=context+window&page=2#results
=== url -
https://shop.example.cn/item/20417?spm=a21.b3&from=%E5%BE%AE%E4%BF%A1
http://mirror.example.org/iso/debian-12.iso
=== base64 -
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
=== base64 -
data:application/pdf;base64,JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwvTGVuZ3RoIDMgMCBSL0ZpbHRlci9GbGF0ZURlY29kZT4+
=== base64 -
-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn+dNuaTAKBggqhkjOPQQDAjASMRAw
DgYDVQQKEwdBY21lIENvMB4XDTE3MTAyMDE5NDMwNloXDTE4MTAyMDE5NDMwNlow
-----END CERTIFICATE-----
=== base64 -
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0MiIsIm5hbWUiOiJNZWkifQ.kq3Zb0cQX1mWl2m0yXoZJ8Jb1w0d2Qe7mBq4Yw9hT1s
=== math -
$$
\int_0^\infty e^{-x^2} \, dx = \frac{\sqrt{\pi}}{2}
$$
=== math -
\begin{align}
f(x) &= \sum_{n=0}^{\infty} \frac{f^{(n)}(a)}{n!} (x - a)^n \\
\hat{\theta} &= \arg\max_\theta \log L(\theta)
\end{align}
=== math -
\[ P(A \mid B) = \frac{P(B \mid A) P(A)}{P(B)} \]
=== math -
x² + y² = r², ∀ε > 0 ∃δ > 0: |x − a| < δ ⇒ |f(x) − L| < ε
=== prose -
The parcel left our warehouse on Monday and should arrive within three working days.
=== prose -
我的订单已经三天没有更新了，请帮我查一下现在到哪里了，谢谢！
=== prose -
Could you import the data from last year, and let me know if the class of 2024 is in it?
=== prose -
昨日の会議の議事録を送っていただけますか。よろしくお願いします。
=== prose -
From the outside the house looked empty; for years nobody had lived there (or so we thought).
If you return before noon, we can still try the lake. While it rains, let us stay in.
=== prose -
Bonjour, je voudrais annuler ma commande : elle est arrivée cassée. Merci de votre aide !
=== prose -
Hi team,

the meeting moves to 3 pm on Friday, room 2.11. Please bring the printed plans.

Best regards,
Anna
=== prose -
請問這個週末台北的天氣如何？我們打算去陽明山走走，需要帶雨傘嗎？
=== prose -
Select a seat from the list, update your address, and delete the old card where needed.
=== prose -
Note: prices are in euros. Warning: the lift is out of order until further notice.
=== prose -
"Are you coming?" she asked. "Not today," he said, and closed the door.
=== prose -
안녕하세요. 주문한 상품이 아직 도착하지 않았습니다. 확인 부탁드립니다.
=== code make
CC = gcc
OBJS = main.o util.o

.PHONY: all clean

all: $(OBJS)
	$(CC) -o tool $(OBJS)

clean:
	rm -f tool *.o
=== code sql
CREATE TABLE IF NOT EXISTS stock_moves (
    id BIGSERIAL PRIMARY KEY,
    sku VARCHAR(32) NOT NULL,
    qty INTEGER CHECK (qty <> 0)
);
CREATE INDEX idx_moves_sku ON stock_moves (sku);
=== log -
time="2025-03-04T10:11:12Z" level=info msg="listening" addr=":8080"
time="2025-03-04T10:11:14Z" level=warning msg="slow query" ms=812 table=orders
=== code dockerfile
FROM node:20-alpine AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci --omit=dev
COPY . .
EXPOSE 3000
CMD ["node", "server.js"]
=== shell -
param([string]$Path = ".")

Get-ChildItem -Path $Path -Recurse -Filter *.log |
    Where-Object { $_.Length -gt 1MB } |
    ForEach-Object { Remove-Item $_.FullName -WhatIf }
=== config toml
[package]
name = "tideclock"
edition = "2021"

[dependencies]
serde = { version = "1", features = ["derive"] }
=== code graphql
query Orders($first: Int!) {
  customer(id: "17") {
    name
    orders(first: $first) { edges { node { id total } } }
  }
}
=== config ini
; backup settings
[remote]
host = nas.local
port = 873

[schedule]
hour = 3
=== code sql
select u.name, count(*) as visits
from users u
left join visits v on v.user_id = u.id
where v.day >= date '2025-01-01'
group by u.name
order by visits desc;
=== config env
DATABASE_URL=postgres://app:secret@db:5432/shop
REDIS_HOST=cache
DEBUG=false
MAX_WORKERS=8
=== yaml -
- id: 1
  标题: 春天的茶园
  标签: [茶, 旅行]
- id: 2
  标题: 雨中的古镇
  标签: [古镇]
=== code kotlin
data class Stop(val name: String, val minutes: Int)

fun nextStop(stops: List<Stop>, now: Int): Stop? =
    stops.filter { it.minutes > now }.minByOrNull { it.minutes }
=== code javascript
import { useState } from "react";

export default function Counter() {
  const [n, setN] = useState(0);
  return <button onClick={() => setN(n + 1)}>{n}</button>;
}
=== code php
<?php
namespace App\Mail;

final class Letter
{
    public function __construct(private string $to, private array $lines = []) {}

    public function body(): string
    {
        return implode("\n", $this->lines);
    }
}
=== code python
@app.get("/tides/{day}")
async def tides(day: date, db: Session = Depends(get_db)):
    rows = await db.fetch(day)
    return {"rows": [r.dict() for r in rows]}
=== code ruby
module Tides
  def self.high(day)
    table = fetch(day)
    table.select { |t| t[:height] > 3.5 }.each do |t|
      puts "high water at #{t[:time]}"
    end
  end
end
=== xml -
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor"/>
  <path d="M8 12l3 3 5-6"/>
</svg>
=== code lua
local M = {}

function M.clamp(x, lo, hi)
  if x < lo then return lo end
  if x > hi then return hi end
  return x
end

return M
=== url -
https://zh.wikipedia.org/wiki/%E6%9D%AD%E5%B7%9E
https://example.org/search?q=tide+table&page=2
=== code css
@media (max-width: 600px) {
  .card { padding: 8px 12px; border-radius: 4px; }
  .card > h2 { font-size: 1.1rem; color: #333; }
}
=== code typescript
export interface Berth { id: number; length: number; taken?: boolean }

export const free = (berths: Berth[]): Berth[] =>
  berths.filter((b) => !b.taken);
=== math -
Let $f(x) = \frac{1}{1 + e^{-x}}$. Then
\[
f'(x) = f(x)\,(1 - f(x)), \qquad \int_{-\infty}^{\infty} f'(x)\,dx = 1.
\]
=== code python
from collections import Counter

def top_words(text: str, n: int = 10) -> list[tuple[str, int]]:
    # 统计出现最多的词
    return Counter(text.lower().split()).most_common(n)
=== log -
203.0.113.7 - - [04/Mar/2025:10:11:12 +0000] "GET /app.css HTTP/1.1" 200 512
203.0.113.9 - alice [04/Mar/2025:10:11:13 +0000] "POST /login HTTP/1.1" 302 0
=== code c
#include <stdio.h>

static int gcd(int a, int b) {
    while (b) { int t = a % b; a = b; b = t; }
    return a;
}
=== stack trace java
Exception in thread "main" java.lang.IllegalStateException: cart is closed
	at com.shop.Cart.add(Cart.java:42)
	at com.shop.Main.run(Main.java:17)
Caused by: java.io.IOException: Broken pipe
	at java.base/sun.nio.ch.FileDispatcherImpl.write0(Native Method)
	... 3 more
=== code javascript
const res = await fetch(`/api/tides?day=${day}`);
if (!res.ok) throw new Error(res.statusText);
const { rows } = await res.json();
console.log(rows.length);
=== stack trace go
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(...)
	/src/app/main.go:18
main.main()
	/src/app/main.go:9 +0x1d
exit status 2
=== code protobuf
syntax = "proto3";

message Tide {
  string station = 1;
  double height = 2;
  repeated int64 times = 3;
}
=== stack trace rust
thread 'main' panicked at src/main.rs:14:32:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
=== markdown -
# 安装说明

1. 下载安装包
2. 运行 `setup.exe`
3. 重启电脑

> **注意**：请先备份数据。
=== stack trace python
Traceback (most recent call last):
  File "/srv/app/jobs.py", line 31, in <module>
    run(sys.argv[1])
  File "/srv/app/jobs.py", line 12, in run
    return TASKS[name]()
KeyError: 'nightly'
=== code java
@Service
public class TideService {
    private final TideRepository repo;

    public List<Tide> between(Instant from, Instant to) {
        return repo.findByTimeBetween(from, to);
    }
}
=== diff -
--- config/limits.py
+++ config/limits.py
@@ -3,5 +3,6 @@
 MAX_ROWS = 500
-TIMEOUT = 10
+TIMEOUT = 30
+RETRIES = 2
 def limit(n):
=== code rust
pub fn parse(line: &str) -> Result<Tide, ParseError> {
    let (time, height) = line.split_once(',').ok_or(ParseError::Shape)?;
    Ok(Tide { time: time.parse()?, height: height.trim().parse()? })
}
=== table -
| 菜名 | 价格 | 辣度 |
|:----|----:|:---:|
| 麻婆豆腐 | 28 | 高 |
| 清蒸鲈鱼 | 68 | 无 |
=== code make
build: $(wildcard *.go)
	go build -o bin/app ./cmd/app

test:
	go test ./...

.PHONY: build test
=== csv -
姓名,部门,入职日期,工资
张伟,研发部,2021-03-15,18500
李娜,市场部,2019-07-01,15200
王芳,人事部,2023-11-20,12800
=== code swift
struct TideView: View {
    @State private var day = Date()
    var body: some View {
        Text("High water: \(day)")
    }
}
=== yaml -
# 服务配置
service:
  name: 订单中心   # 中文名称
  port: 8080
  # 日志级别：debug、info、warn
  log_level: info
=== code go
func (s *Store) Get(ctx context.Context, id string) (*Tide, error) {
	row := s.db.QueryRowContext(ctx, "SELECT h FROM tides WHERE id = $1", id)
	var t Tide
	if err := row.Scan(&t.Height); err != nil {
		return nil, err
	}
	return &t, nil
}
=== prose -
你可以先用 `git stash` 把改动存起来，再执行 `git pull`，有冲突就手动解决。
=== code cpp
template <typename T>
T clamp(const T& v, const T& lo, const T& hi) {
    return std::max(lo, std::min(v, hi));
}
=== json -
{"ts": 1714550400, "event": "login", "user": "u_17"}
{"ts": 1714550412, "event": "view", "user": "u_17", "page": "/cart"}
{"ts": 1714550430, "event": "logout", "user": "u_17"}
=== code r
df <- read.csv("tides.csv")
model <- lm(height ~ hour, data = df)
summary(model)
plot(df$hour, df$height)
=== base64 -
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==
=== stack trace javascript
TypeError: Cannot read properties of undefined (reading 'rows')
    at load (/srv/app/tides.js:14:22)
    at async main (/srv/app/index.js:5:3)
=== shell -
$ du -sh *
4.0K	LICENSE
1.2M	assets
 88K	src
$ git status --short
 M src/main.rs
?? notes.txt
'''


def _read(entry: str) -> tuple[str, str | None, str]:
    head, text = entry.split("\n", 1)
    content, code = head.rsplit(" ", 1)
    return content, None if code == "-" else code, text.rstrip("\n")


SNIPPETS = tuple(map(_read, _SOURCE.removeprefix("\n=== ").split("\n=== ")))
SEEN = SNIPPETS[::2]
HELD_OUT = SNIPPETS[1::2]
