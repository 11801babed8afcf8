"""Runs inside machina: reads orders (JSON) from standard input, carries them out, prints the threads that there are."""

import json
import sys
from datetime import datetime
from pathlib import Path

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.urls import reverse  # noqa: E402
from machina.apps.forum.models import Forum  # noqa: E402
from machina.apps.forum_conversation.models import Post, Topic  # noqa: E402
from machina.apps.forum_permission.models import ForumPermission, GroupForumPermission, UserForumPermission  # noqa: E402,F401

KEYS = Path("keys.json")


def user(name):
    return get_user_model().objects.get_or_create(username=name)[0]


def board(title):
    found, made = Forum.objects.get_or_create(name=title, defaults={"type": Forum.FORUM_POST})
    if made:
        for codename in ("can_see_forum", "can_read_forum"):
            permission = ForumPermission.objects.get(codename=codename)
            UserForumPermission.objects.create(permission=permission, anonymous_user=True, forum=found, has_perm=True)
    return found


def say(topic, post):
    at = datetime.fromisoformat(post["published"])
    subject = topic.subject if not topic.posts.exists() else f"Re: {topic.subject}"
    text = post["text"].replace("\n", "\n\n")
    made = Post.objects.create(topic=topic, poster=user(post["author"]), subject=subject, content=text, approved=True)
    Post.objects.filter(pk=made.pk).update(created=at, updated=at)
    Topic.objects.filter(pk=topic.pk).update(last_post_on=at, updated=at)


def insert(talk, keys):
    first = talk["posts"][0]
    kind = Topic.TOPIC_STICKY if talk["pinned"] else Topic.TOPIC_POST
    topic = Topic.objects.create(
        forum=board(talk["board"]),
        poster=user(first["author"]),
        subject=talk["title"],
        type=kind,
        status=Topic.TOPIC_UNLOCKED,
        approved=True,
    )
    for post in talk["posts"]:
        say(topic, post)
    Topic.objects.filter(pk=topic.pk).update(created=datetime.fromisoformat(first["published"]))
    keys[talk["key"]] = topic.pk
    if talk["state"] == "deleted":
        hide(topic.pk)


def hide(number):
    """Take a topic away from visitors, as a moderator does who disapproves of it."""
    Post.objects.filter(topic=number).update(approved=False)
    Topic.objects.filter(pk=number).update(approved=False)


def rows(keys):
    for key, number in keys.items():
        topic = Topic.objects.get(pk=number)
        said = topic.posts.order_by("created", "pk")
        posts = [
            {"author": each.poster.username, "published": each.created.isoformat(), "text": each.content.raw}
            for each in said
        ]
        path = reverse(
            "forum_conversation:topic",
            kwargs={"forum_slug": topic.forum.slug, "forum_pk": topic.forum.pk, "slug": topic.slug, "pk": topic.pk},
        )
        yield {"key": key, "path": path, "title": topic.subject, "visible": topic.approved, "posts": posts}


orders = json.load(sys.stdin)
keys = json.loads(KEYS.read_text()) if KEYS.exists() else {}
for talk in orders["insert"]:
    insert(talk, keys)
for key, posts in orders["reply"].items():
    for post in posts:
        say(Topic.objects.get(pk=keys[key]), post)
for key, text in orders["edit"].items():
    post = Topic.objects.get(pk=keys[key]).posts.order_by("created", "pk")[0]
    post.content = text.replace("\n", "\n\n")
    post.save()
for key, title in orders["move"].items():
    topic = Topic.objects.get(pk=keys[key])
    topic.forum = board(title)
    topic.save()
for key in orders["delete"]:
    hide(keys[key])
KEYS.write_text(json.dumps(keys))
print(json.dumps(list(rows(keys))))
