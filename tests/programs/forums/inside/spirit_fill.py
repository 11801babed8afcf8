"""Runs inside Spirit: reads orders (JSON) from standard input, carries them out, prints the threads that there are."""

import json
import sys
from datetime import datetime
from pathlib import Path

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from spirit.category.models import Category  # noqa: E402
from spirit.comment.models import Comment  # noqa: E402
from spirit.core.utils.markdown import Markdown  # noqa: E402
from spirit.topic.models import Topic  # noqa: E402

KEYS = Path("keys.json")


def user(name):
    found = get_user_model().objects.filter(st__nickname=name).first()
    if found:
        return found
    login = f"m{get_user_model().objects.count()}"
    made = get_user_model().objects.create_user(login, f"{login}@example.org", None)
    made.st.nickname = name
    made.st.save()
    return made


def say(topic, post):
    at = datetime.fromisoformat(post["published"])
    text = post["text"].replace("\n", "\n\n")
    Comment.objects.create(
        user=user(post["author"]), topic=topic, comment=post["text"], date=at, comment_html=Markdown().render(text)
    )
    Topic.objects.filter(pk=topic.pk).update(last_active=at, comment_count=topic.comment_set.count())


def insert(talk, keys):
    category, _ = Category.objects.get_or_create(title=talk["board"])
    first = talk["posts"][0]
    topic = Topic.objects.create(
        user=user(first["author"]),
        category=category,
        title=talk["title"],
        date=datetime.fromisoformat(first["published"]),
        is_pinned=talk["pinned"],
        is_removed=talk["state"] == "deleted",
    )
    for post in talk["posts"]:
        say(topic, post)
    keys[talk["key"]] = topic.pk


def rows(keys):
    for key, number in keys.items():
        topic = Topic.objects.get(pk=number)
        said = topic.comment_set.filter(is_removed=False, action=Comment.COMMENT).order_by("date", "pk")
        posts = [
            {"author": each.user.st.nickname, "published": each.date.isoformat(), "text": each.comment} for each in said
        ]
        yield {
            "key": key,
            "path": topic.get_absolute_url(),
            "title": topic.title,
            "visible": not topic.is_removed,
            "posts": posts,
        }


orders = json.load(sys.stdin)
keys = json.loads(KEYS.read_text()) if KEYS.exists() else {}
for talk in orders["insert"]:
    insert(talk, keys)
for key, posts in orders["reply"].items():
    for post in posts:
        say(Topic.objects.get(pk=keys[key]), post)
for key, text in orders["edit"].items():
    comment = Topic.objects.get(pk=keys[key]).comment_set.order_by("date", "pk")[0]
    Comment.objects.filter(pk=comment.pk).update(
        comment=text, comment_html=Markdown().render(text.replace("\n", "\n\n")), is_modified=True, modified_count=1
    )
for key, title in orders["move"].items():
    Topic.objects.filter(pk=keys[key]).update(category=Category.objects.get(title=title))
for key in orders["delete"]:
    Topic.objects.filter(pk=keys[key]).update(is_removed=True)
KEYS.write_text(json.dumps(keys))
print(json.dumps(list(rows(keys))))
