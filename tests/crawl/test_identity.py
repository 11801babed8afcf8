"""A worker's name tells whether its process still lives."""

import subprocess
import sys

from thresher.crawling.identity import is_dead, worker_name


def test_this_process_is_alive() -> None:
    assert not is_dead(worker_name())


def test_a_process_that_ended_is_dead_even_before_it_is_reaped() -> None:
    code = "from thresher.crawling.identity import worker_name; print(worker_name(), flush=True); input()"
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True)
    assert process.stdout
    name = process.stdout.readline().strip()
    assert not is_dead(name)
    process.kill()
    process.stdout.read()
    while process.poll() is None:
        pass
    assert is_dead(name)


def test_a_pid_that_was_given_out_again_is_another_worker() -> None:
    host, pid, mark = worker_name().rsplit("/", 2)
    started, realm = mark.split(".")
    assert is_dead(f"{host}/{pid}/{int(started) + 1}.{realm}")


def test_a_machine_or_container_of_the_same_name_is_another_one_where_the_frontier_is_shared() -> None:
    host, pid, mark = worker_name().rsplit("/", 2)
    stranger = f"{host}/{pid}/{mark.split('.')[0]}.none"
    assert not is_dead(stranger, shared=True)
    assert is_dead(stranger), "it worked here before the machine was started anew"


def test_workers_of_other_machines_are_not_judged() -> None:
    assert not is_dead("elsewhere/1/1")
