"""A plain Scrapy spider that downloads some URLs: what the fetcher is measured against."""

import json
import logging
import sys
import time
from collections.abc import AsyncIterator

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response

script = json.load(sys.stdin)
pages = 0


class PlainSpider(Spider):
    name = "plain"

    async def start(self) -> AsyncIterator[Request]:
        for url in script["urls"]:
            yield Request(url, dont_filter=True)

    async def parse(self, response: Response) -> None:
        global pages
        pages += response.status == 200


concurrency = script["concurrency"]
settings = {"CONCURRENT_REQUESTS": concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency, "LOG_ENABLED": False}
process = AsyncCrawlerProcess(settings | {"TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False})
logging.getLogger("scrapy").setLevel(logging.ERROR)
process.crawl(PlainSpider)
started, cpu = time.monotonic(), time.process_time()
process.start()
print(json.dumps({"pages": pages, "wall_s": time.monotonic() - started, "cpu_s": time.process_time() - cpu}))
