-- Until when counts of starts go: calls that were not placed, over time. Null: the agent did not say.
alter table start_noise add column at timestamptz;
