-- What nobody can have seen: an epoch beyond what others are believed (2^37 - 2^34), or a number that no epoch has.
DELETE FROM seen WHERE epoch < 0 OR epoch > 120259084288 OR max_n < 0 OR max_n > 67108863;
