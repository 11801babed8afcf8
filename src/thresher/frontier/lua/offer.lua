-- Offer: dedup and enqueue in one step. ARGV[3…]: one packed link each. One letter per link comes back.
return for_each_link(offer)
