"""Runs inside Misago: reads orders (JSON) from standard input, carries them out, prints the threads that there are."""

import json
import sys
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from misago.acl.cache import clear_acl_cache  # noqa: E402
from misago.categories.models import Category, RoleCategoryACL  # noqa: E402
from misago.core.utils import slugify  # noqa: E402
from misago.threads.checksums import update_post_checksum  # noqa: E402
from misago.threads.models import Post, Thread  # noqa: E402

KEYS = Path("keys.json")
PINNED = 1


def user(name):
    found = get_user_model().objects.filter(username=name).first()
    if found:
        return found
    number = get_user_model().objects.count()
    made = get_user_model().objects.create_user(name, f"m{number}@example.org", None)
    made.avatars = [{"size": 100, "url": "/static/misago/img/blank-avatar.png"}]
    made.save()
    return made


def board(title):
    """Return a category; a new one may be read by whoever may read the first one."""
    found = Category.objects.filter(name=title).first()
    if found:
        return found
    first = Category.objects.get(slug="first-category")
    made = Category(name=title, slug=slugify(title))
    made.insert_at(Category.objects.root_category(), position="last-child", save=True)
    for rule in RoleCategoryACL.objects.filter(category=first):
        RoleCategoryACL.objects.create(role=rule.role, category=made, category_role=rule.category_role)
    clear_acl_cache()
    return made


def markup(text):
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in text.split("\n"))


def say(thread, post):
    at, poster = datetime.fromisoformat(post["published"]).astimezone(UTC), user(post["author"])
    made = Post.objects.create(
        category=thread.category,
        thread=thread,
        poster=poster,
        poster_name=poster.username,
        original=post["text"],
        parsed=markup(post["text"]),
        checksum="",
        posted_on=at,
        updated_on=at,
    )
    update_post_checksum(made)
    made.save()


def settle(*categories, thread):
    thread.synchronize()
    thread.save()
    for category in categories:
        category.synchronize()
        category.save()


def insert(talk, keys):
    first = talk["posts"][0]
    begun, starter = datetime.fromisoformat(first["published"]), user(first["author"])
    thread = Thread.objects.create(
        category=board(talk["board"]),
        title=talk["title"],
        slug=slugify(talk["title"]),
        started_on=begun,
        last_post_on=begun,
        starter=starter,
        starter_name=starter.username,
        starter_slug=starter.slug,
        last_poster=starter,
        last_poster_name=starter.username,
        last_poster_slug=starter.slug,
        weight=PINNED if talk["pinned"] else 0,
    )
    for post in talk["posts"]:
        say(thread, post)
    settle(thread.category, thread=thread)
    keys[talk["key"]] = thread.pk
    if talk["state"] == "deleted":
        delete(thread)


def delete(thread):
    thread.post_set.update(is_hidden=True)
    Thread.objects.filter(pk=thread.pk).update(is_hidden=True)
    category = Category.objects.get(pk=thread.category_id)
    category.synchronize()
    category.save()


def move(thread, title):
    old, new = thread.category, board(title)
    thread.move(new)
    thread.save()
    settle(old, new, thread=thread)


def edit(thread, text):
    post = thread.post_set.order_by("id")[0]
    post.original, post.parsed, post.edits = text, markup(text), 1
    update_post_checksum(post)
    post.save()


def rows(keys):
    for key, number in keys.items():
        thread = Thread.objects.get(pk=number)
        posts = [
            {"author": each.poster_name, "published": each.posted_on.isoformat(), "text": each.original}
            for each in thread.post_set.filter(is_event=False).order_by("id")
        ]
        yield {
            "key": key,
            "path": thread.get_absolute_url(),
            "title": thread.title,
            "visible": not thread.is_hidden,
            "posts": posts,
        }


orders = json.load(sys.stdin)
keys = json.loads(KEYS.read_text()) if KEYS.exists() else {}
for talk in orders["insert"]:
    insert(talk, keys)
for key, posts in orders["reply"].items():
    thread = Thread.objects.get(pk=keys[key])
    for post in posts:
        say(thread, post)
    settle(thread.category, thread=thread)
for key, text in orders["edit"].items():
    edit(Thread.objects.get(pk=keys[key]), text)
for key, title in orders["move"].items():
    move(Thread.objects.get(pk=keys[key]), title)
for key in orders["delete"]:
    delete(Thread.objects.get(pk=keys[key]))
KEYS.write_text(json.dumps(keys))
print(json.dumps(list(rows(keys))))
