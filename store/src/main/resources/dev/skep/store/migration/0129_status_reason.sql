-- Why an agent is as it is, for whoever looks later: a reason that only a page had is lost when it is loaded again.
ALTER TABLE user_notifications ADD COLUMN status_reason TEXT;
