/** The types of columns that SQL cannot say, for the generator of tables.gen.ts. */
export default {
  imports: { '../../../contract/notify/words.ts': ['DeliveryStatus'] },
  columns: { 'mails.status': 'Generated<DeliveryStatus>' },
};
